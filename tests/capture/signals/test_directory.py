"""The same command in another folder."""

from lessons.capture.signals.directory import change
from lessons.episode import Change
from tests.builders.steps import Case, failed, ran
from tests.tables import table

QUIET = [
    Case(failed("npm test"), ran("npm test")),
    Case(failed("npm test"), ran("npm test", cwd="")),  # not told where
    Case(failed("npm test"), ran("cd web && npm run build")),  # other work there
    Case(failed("make dist"), ran("cd docs && git status")),
    Case(failed("cd web && npm test"), ran("cd web && npm test")),
    Case(failed("cd web && npm test"), ran("npm test", cwd="/srv/shop/web")),  # the same folder, told otherwise
    Case(failed("cd /srv/shop/web && npm test"), ran("cd web && npm test")),
    Case(failed("npm test"), ran("cd web/.. && npm test")),
    Case(failed("git status"), ran("git -C ../other log")),
    Case(failed("cd web"), ran("cd docs")),  # another place
    Case(failed("cd web"), ran("cd web")),
    Case(failed("make all"), ran("make -C build clean")),
]
FIRES = [
    Case(failed("npm test"), ran("cd web && npm test"), Change("wrong-path", "/srv/shop", "cd /srv/shop/web")),
    Case(failed("npm test"), ran("(cd web && npm test)"), Change("wrong-path", "/srv/shop", "cd /srv/shop/web")),
    Case(
        failed("npm test", cwd="/srv/shop/web"), ran("npm test"), Change("wrong-path", "/srv/shop/web", "cd /srv/shop")
    ),
    Case(failed("npm test", cwd=""), ran("cd web && npm test", cwd=""), Change("wrong-path", "", "cd web")),
    Case(
        failed("cd web && npm test"),
        ran("cd app && npm test"),
        Change("wrong-path", "/srv/shop/web", "cd /srv/shop/app"),
    ),
    Case(
        failed("git add a.py b.py c.py && git push"),
        ran("cd ~/shop && git add a.py b.py c.py"),
        Change("wrong-path", "/srv/shop", "cd ~/shop"),
    ),
    Case(failed("cd web"), ran("cd ../web"), Change("wrong-path", "web", "cd ../web")),
    Case(failed("git status"), ran("git -C web status"), Change("wrong-path", "", "-C web")),
    Case(failed("npm ci"), ran("npm --prefix web ci"), Change("wrong-path", "", "--prefix web")),
    Case(failed("npm ci"), ran("npm ci --prefix=web"), Change("wrong-path", "", "--prefix=web")),
    Case(
        failed('ssh web "cd /opt && docker ps"'),
        ran('ssh web "cd /opt/shop && docker ps"'),
        Change("wrong-path", "/opt", "/opt/shop"),
    ),
]


@table("case", QUIET)
def test_stays_quiet(case: Case) -> None:
    assert change(case.pair()) is None


@table("case", FIRES)
def test_fires(case: Case) -> None:
    assert change(case.pair()) == case.expected
