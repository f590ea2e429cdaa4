"""Programs that are started on another machine or in a container; first those that are not."""

from lessons.shell.elsewhere import carrier
from tests.tables import table


@table(
    "command",
    [
        "lux a",
        "sudo lux a",
        "bash -c 'lux a'",
        "poetry run lux a",
        "yarn run lux a",
        "lux a && ssh host 'lux b'",
        "ssh host 'echo lux'",
        "docker exec lux ls",
        "ssh host uptime; bash -c 'lux a'",
        "ssh host ls | xargs lux",
        "nix-shell --run 'lux a'",
        "su bob -c 'lux a'",
        "env -S 'lux a'",
    ],
)
def test_here(command: str) -> None:
    assert carrier(command, "lux") == ""


@table(
    ("command", "name"),
    [
        ("ssh host 'cd /srv && lux a'", "ssh"),
        ("docker exec web lux -v", "docker exec"),
        ("cd app && docker compose exec web lux", "docker compose exec"),
        ("kubectl exec pod -- sh -c 'lux a'", "kubectl exec"),
        ("kubectl -n prod exec pod -- lux a", "kubectl exec"),
        ("vagrant ssh -c 'lux a'", "vagrant ssh"),
        ("gcloud compute ssh vm1 --command 'lux -b'", "gcloud compute ssh"),
        ("fly ssh console -C 'lux a'", "fly ssh console"),
        ("kubectl run job --image=a -- lux a", "kubectl run"),
        ("sudo docker exec web lux && ssh host lux", "docker exec"),
    ],
)
def test_elsewhere(command: str, name: str) -> None:
    assert carrier(command, "lux") == name
