"""A call that only bypasses a check, or destroys something, is not a fix."""

from lessons.capture.signals.guard import is_bypass
from lessons.episode import Change
from tests.builders.steps import Case, failed, ran
from tests.tables import table


def added(after: str) -> Change:
    return Change("wrong-flag", "", after)


def step(after: str) -> Change:
    return Change("order-of-steps", "", after)


HARMLESS = [
    Case(failed("git commit -m a"), ran("git commit -a -m a"), added("-a")),
    Case(failed("git push"), ran("git push -u origin web"), added("-u origin web")),
    Case(failed("git push -n"), ran("git push"), Change("wrong-flag", "-n", "")),
    Case(failed("git log"), ran("git log -n 5"), added("-n 5")),  # the letter means something else there
    Case(failed("tail a.log"), ran("tail -f a.log"), added("-f")),
    Case(failed("docker compose up"), ran("docker compose -f dev.yml up"), added("-f dev.yml")),
    Case(failed("docker compose up"), ran("docker compose up --force-recreate"), added("--force-recreate")),
    Case(failed("npx jest"), ran("npx jest --forceExit"), added("--forceExit")),
    Case(failed("rm -rf bild"), ran("rm -rf build"), Change("wrong-arguments", "bild", "build")),  # forced before
    Case(
        failed("git push --force orign"), ran("git push --force origin"), Change("wrong-arguments", "orign", "origin")
    ),
    Case(failed("shop lint"), ran("shop lint --force=false"), added("--force=false")),
    Case(failed("git rev-parse web"), ran("git rev-parse --verify web"), added("--verify")),
    Case(failed("python app.py"), ran("PYTHONPATH=src python app.py"), Change("wrong-command", "", "PYTHONPATH=src")),
    Case(failed("npm ci"), ran("SKIP_DOWNLOAD=1 npm ci"), Change("wrong-command", "", "SKIP_DOWNLOAD=1")),
    Case(failed("HUSKY=0 git comit"), ran("HUSKY=0 git commit"), Change("wrong-command", "comit", "commit")),
    Case(failed("npm start"), ran("npm start"), step("npm ci")),
]
RISKY = [
    Case(failed("git commit -m a"), ran("git commit --no-verify -m a"), added("--no-verify")),
    Case(failed("git commit -m a"), ran("git commit -n -m a"), added("-n")),
    Case(failed("git commit -am a"), ran("git commit -anm a"), Change("wrong-flag", "-am", "-anm")),
    Case(failed("git commit -m a"), ran("HUSKY=0 git commit -m a"), Change("wrong-command", "", "HUSKY=0")),
    Case(failed("git commit -m a"), ran("SKIP=lint git commit -m a"), Change("wrong-command", "", "SKIP=lint")),
    Case(failed("git commit -m a"), ran("export LEFTHOOK=0 && git commit -m a"), step("export LEFTHOOK=0")),
    Case(failed("git commit -m a"), ran("git -c core.hooksPath=/dev/null commit -m a"), added("-c")),
    Case(failed("git clone a"), ran("GIT_SSL_NO_VERIFY=1 git clone a"), added("")),
    Case(failed("git push"), ran("git push --force"), added("--force")),
    Case(failed("git push"), ran("git push -f"), added("-f")),
    Case(failed("git push"), ran("git push --force-with-lease origin web"), added("--force-with-lease origin web")),
    Case(failed("git reset HEAD~1 a.py"), ran("git reset --hard HEAD~1"), Change("wrong-arguments", "a.py", "--hard")),
    Case(failed("git branch -d web"), ran("git branch -D web"), Change("wrong-flag", "-d", "-D")),
    Case(failed("rm build"), ran("rm -rf build"), added("-rf")),
    Case(failed("rm build"), ran("rm -r build"), added("-r")),
    Case(failed("curl https://a.test"), ran("curl -k https://a.test"), added("-k")),
    Case(failed("curl https://a.test"), ran("curl -sSk https://a.test"), added("-sSk")),
    Case(failed("wget https://a.test"), ran("wget --no-check-certificate https://a.test"), added("")),
    Case(failed("pip install a"), ran("pip install --break-system-packages a"), added("--break-system-packages")),
    Case(failed("npm publish"), ran("npm publish --force"), added("--force")),
    Case(failed("mvn package"), ran("mvn package -DskipTests"), added("-DskipTests")),
    Case(failed("./gradlew build"), ran("./gradlew build -x test"), added("-x test")),
    Case(failed("ssh web ls"), ran("ssh -o StrictHostKeyChecking=no web ls"), added("-o StrictHostKeyChecking=no")),
    Case(failed("make"), ran("make"), step("git reset --hard")),
    Case(failed("git pull"), ran("git clean -fd && git pull"), step("git clean -fd")),
]


@table("case", HARMLESS)
def test_a_remedy(case: Case) -> None:
    assert case.expected and not is_bypass(case.expected, case.pair())


@table("case", RISKY)
def test_no_remedy(case: Case) -> None:
    assert case.expected and is_bypass(case.expected, case.pair())
