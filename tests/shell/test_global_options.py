"""Options before a sub-command: first those that must stay, then those that are removed."""

from lessons.shell.global_options import forms, may_have_options
from tests.tables import table


@table(
    "text",
    [
        "",
        "git",
        "git reset --hard",
        "git -C",
        "git -C x",
        "git --version",
        "git --help reset",
        "git --exec-path push",
        "git --unknown reset",
        "git -C x --unknown reset",
        "git log -C x",
        "mygit -C x reset",
        "ls -C x",
        "cargo +nightly",
        "make -n deploy",
        "make -ns deploy",
        "npm -g install x",
        "mvn -DskipTests package",
        "docker compose --dry-run up",
        "docker run -it x",
        "terraform apply -auto-approve",
    ],
)
def test_nothing_is_left_out(text: str) -> None:
    assert forms(text) == (text,)


@table(
    ("text", "short"),
    [
        ("git -C /repo reset --hard", "git reset --hard"),
        ("git -C/repo reset --hard", "git reset --hard"),
        ("git -c a=b -c c=d commit -m x", "git commit -m x"),
        ("git --no-pager --git-dir=x --work-tree y log -p", "git log -p"),
        ("git --exec-path=/x push", "git push"),
        ("docker --context x ps", "docker ps"),
        ("docker -H tcp://x --debug compose up", "docker compose up"),
        ("docker compose -f a.yml -f b.yml --profile dev up -d", "docker compose up -d"),
        ("docker --context x compose --env-file=.env down -v", "docker compose down -v"),
        ("docker --context x compose --dry-run up", "docker compose --dry-run up"),
        ("docker-compose -f a.yml exec web sh", "docker-compose exec web sh"),
        ("kubectl -n x delete pod y", "kubectl delete pod y"),
        ("kubectl -nx --context=y delete pod", "kubectl delete pod"),
        ("helm --kube-context x upgrade y", "helm upgrade y"),
        ("gh -R owner/name pr list", "gh pr list"),
        ("npm --prefix web run build", "npm run build"),
        ("pnpm --filter web -r build", "pnpm build"),
        ("yarn --cwd web build", "yarn build"),
        ("cargo +nightly -q test", "cargo test"),
        ("go -C cmd build ./...", "go build ./..."),
        ("make -C web -j4 test", "make test"),
        ("make -j 4 test", "make test"),
        ("mvn -q -pl web -am test", "mvn test"),
        ("apt-get -qqy install x", "apt-get install x"),
        ("systemctl --user --no-pager restart x", "systemctl restart x"),
        ("terraform -chdir=infra apply", "terraform apply"),
        ("aws --profile x --region y s3 rm s3://z", "aws s3 rm s3://z"),
    ],
)
def test_the_options_before_the_sub_command_are_left_out(text: str, short: str) -> None:
    assert forms(text) == (text, short)
    assert may_have_options(text)
