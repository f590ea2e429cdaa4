"""Mistakes of many ecosystems, each in two sessions, with working calls of the same program."""

from pathlib import Path
from typing import NamedTuple

from tests.builders.transcript import Session


class Row(NamedTuple):
    """A number takes the place of {}; `scope` is where a lesson about it belongs."""

    name: str
    failed: str
    error: str
    worked: str
    good: tuple[str, ...]
    scope: str
    tool: str = "Bash"
    acts_at: str = "call"


EVERYWHERE, MACHINE, PROJECT = "global", "machine", "project"

ROWS = (
    Row(
        "gradle option",
        "./gradlew :api:test --test TillTest{}",
        "Exit code 1\n\nFAILURE: Build failed with an exception.\n\n* What went wrong:\n"
        "Problem configuring task :api:test from command line.\n> Unknown command-line option '--test'.",
        "./gradlew :api:test --tests TillTest{}",
        ("./gradlew build", "./gradlew :api:test"),
        EVERYWHERE,
    ),
    Row(
        "maven module",
        "mvn -q test -pl till -Dtest=Sum{}Test",
        "Exit code 1\n[ERROR] Could not find the selected project in the reactor: till @ \n"
        "[ERROR] Could not find the selected project in the reactor: till -> [Help 1]",
        "mvn -q test -pl services/till -Dtest=Sum{}Test",
        ("mvn -q compile", "mvn -q test -pl services/shelf"),
        PROJECT,
    ),
    Row(
        "java archive",
        "java -jar target/till.jar --port 80{}",
        "Exit code 1\nError: Unable to access jarfile target/till.jar",
        "java -jar build/libs/till.jar --port 80{}",
        ("java -version",),
        PROJECT,
    ),
    Row(
        "cargo option",
        "cargo build --feature till -p shop{}",
        "Exit code 1\nerror: unexpected argument '--feature' found\n\n"
        "  tip: a similar argument exists: '--features'\n\nUsage: cargo build [OPTIONS]",
        "cargo build --features till -p shop{}",
        ("cargo build", "cargo build --release"),
        EVERYWHERE,
    ),
    Row(
        "cargo package",
        "cargo run -p till -- --port 80{}",
        "Exit code 101\nerror: package ID specification `till` did not match any packages\n\n"
        "help: a package with a similar name exists: `shop-till`",
        "cargo run -p shop-till -- --port 80{}",
        ("cargo run -p shop-shelf", "cargo build"),
        PROJECT,
    ),
    Row(
        "rust test harness",
        "cargo test -p shop{} -- --test-thread=1",
        "Exit code 101\nerror: Unrecognized option: 'test-thread'\nerror: test failed, to rerun pass `-p shop --lib`",
        "cargo test -p shop{} -- --test-threads=1",
        ("cargo test", "cargo test -- --nocapture"),
        EVERYWHERE,
    ),
    Row(
        "swift option",
        "swift test --filter Till{} --workers 4",
        "Exit code 64\nerror: Unknown option '--workers'. Did you mean '--num-workers'?\nUsage: swift test [<options>]",
        "swift test --filter Till{} --parallel --num-workers 4",
        ("swift build", "swift test"),
        EVERYWHERE,
    ),
    Row(
        "xcode destination",
        "xcodebuild test -scheme Till{} -destination 'platform=iOS Simulator,name=iPhone 14'",
        "Exit code 70\nxcodebuild: error: Unable to find a device matching the provided destination specifier:\n"
        "\t\t{ platform:iOS Simulator, OS:latest, name:iPhone 14 }",
        "xcodebuild test -scheme Till{} -destination 'platform=iOS Simulator,name=iPhone 16'",
        ("xcodebuild -list", "xcodebuild build -scheme Till"),
        PROJECT,
        acts_at="error",
    ),
    Row(
        "terraform option",
        "terraform plan -output=till{}.plan",
        "Exit code 1\n╷\n│ Error: Failed to parse command-line flags\n│ \n│ flag provided but not defined: -output\n╵",
        "terraform plan -out=till{}.plan",
        ("terraform plan", "terraform init", "terraform output"),
        EVERYWHERE,
    ),
    Row(
        "terraform address",
        "terraform state show module.till.aws_instance.main[{}]",
        "Exit code 1\nzsh: no matches found: module.till.aws_instance.main[1]",
        "terraform state show 'module.till.aws_instance.main[{}]'",
        ("terraform state list", "terraform state show module.till.aws_vpc.main"),
        EVERYWHERE,
    ),
    Row(
        "kubectl option",
        "kubectl logs deploy/till -n shop{} --tails=50",
        "Exit code 1\nerror: unknown flag: --tails\nSee 'kubectl logs --help' for usage.",
        "kubectl logs deploy/till -n shop{} --tail=50",
        ("kubectl get pods -n shop", "kubectl logs deploy/shelf"),
        EVERYWHERE,
    ),
    Row(
        "kubectl exec",
        "kubectl exec till-{} -n shop ls /app",
        "Exit code 1\nerror: exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead",
        "kubectl exec till-{} -n shop -- ls /app",
        ("kubectl get pods -n shop", "kubectl exec shelf -n shop -- date"),
        EVERYWHERE,
    ),
    Row(
        "helm option",
        "helm upgrade till{} ./chart --value prod.yaml",
        "Exit code 1\nError: unknown flag: --value",
        "helm upgrade till{} ./chart --values prod.yaml",
        ("helm list", "helm upgrade shelf ./chart"),
        EVERYWHERE,
    ),
    Row(
        "cmd without grep",
        "grep -rn till{} src",
        "Exit code 1\n'grep' is not recognized as an internal or external command,\noperable program or batch file.",
        "findstr /s /n till{} src\\*.ts",
        ("dir src",),
        MACHINE,
        acts_at="error",  # where the tests run there is a grep: it may have been installed since
    ),
    Row(
        "powershell separator",
        "npm run build && npm test -- till{}",
        "Exit code 1\nAt line:1 char:15\n+ npm run build && npm test\n+               ~~\n"
        "The token '&&' is not a valid statement separator in this version.",
        "npm run build; npm test -- till{}",
        ("npm test", "npm run build"),
        EVERYWHERE,
        "PowerShell",
    ),
    Row(
        "postgres column",
        "psql shop -c 'select title from tills where id = {}'",
        'Exit code 1\nERROR:  column "title" does not exist\nLINE 1: select title from tills where id = 1',
        "psql shop -c 'select name from tills where id = {}'",
        ("psql shop -c 'select count(*) from tills'", "psql shop -c '\\d tills'"),
        PROJECT,
    ),
    Row(
        "mysql reserved word",
        'mysql shop -e "select id from order where id = {}"',
        "Exit code 1\nERROR 1064 (42000) at line 1: You have an error in your SQL syntax; check the manual that "
        "corresponds to your MySQL server version for the right syntax to use near 'order where id = 1' at line 1",
        "mysql shop -e 'select id from `order` where id = {}'",
        ('mysql shop -e "select 1"', 'mysql shop -e "show tables"'),
        EVERYWHERE,
        acts_at="error",
    ),
    Row(
        "sqlite tables",
        'sqlite3 till{}.db "show tables"',
        'Exit code 1\nError: in prepare, near "show": syntax error\n  show tables\n  ^--- error here',
        'sqlite3 till{}.db ".tables"',
        ('sqlite3 till.db "select 1"',),
        EVERYWHERE,
        acts_at="error",
    ),
    Row(
        "mongo method",
        'mongosh shop --eval "db.tills.count({{n: {}}}).pretty()"',
        "Exit code 1\nTypeError: db.tills.count(...).pretty is not a function",
        'mongosh shop --eval "db.tills.countDocuments({{n: {}}})"',
        ('mongosh shop --eval "db.tills.findOne()"',),
        PROJECT,
        acts_at="error",
    ),
    Row(
        "go flag",
        "go test ./till{}/... -racy",
        "Exit code 2\nflag provided but not defined: -racy\nusage: go test [build/test flags] [packages]",
        "go test ./till{}/... -race",
        ("go build ./...", "go test ./..."),
        EVERYWHERE,
    ),
    Row(
        "dotnet switch",
        "dotnet test Till{}.csproj --no-builds",
        "Exit code 1\nMSBUILD : error MSB1001: Unknown switch.\n    Full command line: 'dotnet msbuild'\n"
        "Switch: --no-builds",
        "dotnet test Till{}.csproj --no-build",
        ("dotnet build", "dotnet test"),
        EVERYWHERE,
    ),
    Row(
        "artisan command",
        "php artisan make:migrations create_tills{}",
        'Exit code 1\n\n   ERROR  Command "make:migrations" is not defined. Did you mean one of these?\n\n'
        "  ⇂ make:migration\n  ⇂ migrate",
        "php artisan make:migration create_tills{}",
        ("php artisan migrate", "php artisan test"),
        EVERYWHERE,
    ),
    Row(
        "mix option",
        "mix test --onlys till{}",
        '** (Mix) Could not invoke task "test": 1 error found!\n--onlys : Unknown option',
        "mix test --only till{}",
        ("mix test", "mix deps.get"),
        EVERYWHERE,
    ),
    Row(
        "gcloud argument",
        "gcloud run services list --regions=europe-west{}",
        "Exit code 2\nERROR: (gcloud.run.services.list) unrecognized arguments: --regions=europe-west1 "
        "(did you mean '--region'?)",
        "gcloud run services list --region=europe-west{}",
        ("gcloud run services list", "gcloud config list"),
        EVERYWHERE,
    ),
    Row(
        "aws option",
        "aws s3 ls --bucket till-{}",
        "Exit code 252\n\nusage: aws [options] <command> <subcommand> [<subcommand> ...] [parameters]\n\n"
        "Unknown options: --bucket,till-1",
        "aws s3 ls s3://till-{}",
        ("aws s3 ls", "aws sts get-caller-identity"),
        EVERYWHERE,
    ),
)


def write_row(row: Row, folder: Path) -> None:
    """Two sessions of one project that make the mistake, and one more of another that does not."""
    for number in (1, 2):
        session = Session(f"{row.name} {number}", cwd=f"/home/somebody/{row.name.replace(' ', '-')}")
        session.prompt("go on with the till")
        for good in row.good:
            session.result(session.call(row.tool, {"command": good}), "done")
        session.result(session.call(row.tool, {"command": row.failed.format(number)}), row.error, error=True)
        session.result(session.call(row.tool, {"command": row.worked.format(number)}), "done")
        session.write(folder)
    other = Session(f"{row.name} elsewhere", cwd="/home/somebody/elsewhere")
    other.prompt("look at the shelf")
    for good in row.good:
        other.result(other.call(row.tool, {"command": good}), "done")
    other.write(folder)
