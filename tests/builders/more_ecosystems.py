"""More mistakes of many ecosystems, each made once, and work that fails without a mistake; § means a number."""

# ruff: noqa: E501

from typing import NamedTuple


class Mistake(NamedTuple):
    """What failed, what worked then, and a pattern for what the remedy must name."""

    name: str
    failed: str
    error: str
    worked: str
    good: tuple[str, ...]
    remedy: str
    between: tuple[str, ...] = ()
    tool: str = "Bash"


class Work(NamedTuple):
    """Calls with their output and whether they failed; a path without output is a file that was edited."""

    name: str
    steps: tuple[tuple[str, str | None, bool], ...]


MISTAKES = (
    Mistake(
        "compose v1",
        "docker-compose up -d db§",
        "Exit code 127\n/bin/bash: line 1: docker-compose: command not found",
        "docker compose up -d db§",
        ("docker compose ps", "docker ps"),
        "docker compose",
    ),
    Mistake(
        "compose service name",
        "docker compose logs backend --tail §0",
        "Exit code 1\nno such service: backend",
        "docker compose logs api --tail §0",
        ("docker compose ps", "docker compose logs db --tail 5"),
        "api",
    ),
    Mistake(
        "compose exec tty",
        "docker compose exec api python manage.py check --tag t§ < /dev/null",
        "Exit code 1\nthe input device is not a TTY",
        "docker compose exec -T api python manage.py check --tag t§ < /dev/null",
        ("docker compose ps", "docker compose exec -T api ls"),
        "-T",
    ),
    Mistake(
        "docker run tty",
        "docker run -it --rm shop:§ npm test",
        "Exit code 1\nthe input device is not a TTY",
        "docker run --rm shop:§ npm test",
        ("docker images", "docker run --rm shop:2 npm ci"),
        "-it|-t\\b|TTY",
    ),
    Mistake(
        "poetry dev flag",
        "poetry add --dev pytest-mock§",
        'Exit code 1\n\nThe option "--dev" does not exist',
        "poetry add --group dev pytest-mock§",
        ("poetry install", "poetry add httpx"),
        "--group",
    ),
    Mistake(
        "poetry run",
        "alembic upgrade head§",
        "Exit code 127\nbash: alembic: command not found",
        "poetry run alembic upgrade head§",
        ("poetry run pytest -q",),
        "poetry run",
    ),
    Mistake(
        "uv dev group",
        "uv add --dev-dependency ruff§",
        "Exit code 2\nerror: unexpected argument '--dev-dependency' found\n\n  tip: a similar argument exists: '--dev'\n\nUsage: uv add [OPTIONS] <PACKAGES|--requirements <REQUIREMENTS>>\n\nFor more information, try '--help'.",
        "uv add --dev ruff§",
        ("uv sync", "uv add httpx"),
        "--dev\\b",
    ),
    Mistake(
        "externally managed",
        "pip install requests==2.3§",
        "Exit code 1\nerror: externally-managed-environment\n\n× This environment is externally managed\n╰─> To install Python packages system-wide, try apt install\n    python3-xyz, where xyz is the package you are trying to\n    install.\n",
        ".venv/bin/pip install requests==2.3§",
        (".venv/bin/python -V",),
        "\\.venv/bin/pip|virtual environment|venv",
    ),
    Mistake(
        "pnpm workspace root",
        "pnpm add zod@3.2§",
        "Exit code 1\n ERR_PNPM_ADDING_TO_ROOT  Running this command will add the dependency to the workspace root, which might not be what you want - if you really meant it, make it explicit by running this command again with the -w flag (or --workspace-root). If you don't want to see this warning anymore, you may set the ignore-workspace-root-check setting to true.",
        "pnpm add -w zod@3.2§",
        ("pnpm install", "pnpm -r build"),
        "-w\\b",
    ),
    Mistake(
        "pnpm filter order",
        "pnpm test --filter @shop/api§",
        "Exit code 1\n\n> shop@1.0.0 test /home/somebody/shop\n> vitest run --filter @shop/api1\n\nCACError: Unknown option `--filter`\n    at Command.checkUnknownOptions (file:///home/somebody/shop/node_modules/vitest/dist/vendor/cac.mjs:403:17)\n ELIFECYCLE  Test failed. See above for more details.",
        "pnpm --filter @shop/api§ test",
        ("pnpm install", "pnpm test"),
        "--filter",
    ),
    Mistake(
        "npm script dashes",
        "npm test --testPathPattern till§",
        'Exit code 1\nnpm error Missing script: "test"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run',
        "npm run test:unit -- --testPathPattern till§",
        ("npm run lint", "npm ci"),
        "test:unit",
    ),
    Mistake(
        "yarn berry",
        "yarn install --frozen-lockfile --cwd app§",
        'Exit code 1\nUnknown Syntax Error: Unsupported option name ("--cwd").\n\n$ yarn install [--json] [--immutable] [--immutable-cache] [--refresh-lockfile] [--check-cache] [--check-resolutions] [--inline-builds] [--mode #0]',
        "yarn workspace app§ install",
        ("yarn build",),
        "--cwd",
    ),
    Mistake(
        "deno permission",
        "deno run scripts/seed§.ts",
        'Exit code 1\nerror: Uncaught (in promise) NotCapable: Requires net access to "localhost:5432", run again with the --allow-net flag\n    at opNetConnectTcp (ext:deno_net/01_net.js:568:18)',
        "deno run --allow-net scripts/seed§.ts",
        ("deno fmt --check", "deno --version"),
        "--allow-net",
    ),
    Mistake(
        "bun test option",
        "bun test --grep till§",
        "Exit code 1\nerror: Invalid Argument '--grep'",
        "bun test -t till§",
        ("bun install", "bun test"),
        "--grep",
    ),
    Mistake(
        "rails bundle exec",
        "rspec spec/models/till§_spec.rb",
        "Exit code 127\nbash: rspec: command not found",
        "bundle exec rspec spec/models/till§_spec.rb",
        ("bundle install", "bundle exec rubocop"),
        "bundle exec",
    ),
    Mistake(
        "rails migrate version",
        "bin/rails db:migrate:status --env test§",
        "Exit code 1\ninvalid option: --env",
        "RAILS_ENV=test bin/rails db:migrate:status",
        ("bin/rails db:migrate",),
        "--env",
    ),
    Mistake(
        "composer platform",
        "composer require monolog/monolog:^3.§ --no-update-deps",
        'Exit code 1\n\n                                                  \n  The "--no-update-deps" option does not exist.  \n                                                  \n\nrequire [--dev] [--dry-run] [--prefer-source]',
        "composer require monolog/monolog:^3.§ --no-update",
        ("composer install", "composer dump-autoload"),
        "--no-update\\b",
    ),
    Mistake(
        "gradle wrapper permission",
        "./gradlew assemble§",
        "Exit code 126\n/bin/bash: line 1: ./gradlew: Permission denied",
        "sh ./gradlew assemble§",
        ("ls", "git status"),
        "sh \\./gradlew|executable|permission",
    ),
    Mistake(
        "sbt project",
        "sbt 'testOnly shop.Till§Spec' --batch",
        "Exit code 1\n[error] Expected symbol\n[error] Not a valid command: --batch\n[error] --batch\n[error]  ^",
        "sbt -batch 'testOnly shop.Till§Spec'",
        ("sbt compile",),
        "-batch",
    ),
    Mistake(
        "cmake source dir",
        "cmake --build . --target till§",
        "Exit code 1\nError: could not load cache",
        "cmake --build build --target till§",
        ("cmake -S . -B build", "cmake --build build"),
        "build",
    ),
    Mistake(
        "ninja folder",
        "ninja till§_test",
        "Exit code 1\nninja: error: loading 'build.ninja': No such file or directory",
        "ninja -C build till§_test",
        ("ninja -C build", "cmake -S . -B build -G Ninja"),
        "-C build",
    ),
    Mistake(
        "ansible vault",
        "ansible-playbook site.yml --limit web§ --vault-pass .vault",
        "Exit code 2\nusage: ansible-playbook [-h] [--version] [-v] [--private-key PRIVATE_KEY_FILE]\n                        playbook [playbook ...]\nansible-playbook: error: unrecognized arguments: --vault-pass .vault",
        "ansible-playbook site.yml --limit web§ --vault-password-file .vault",
        ("ansible-playbook site.yml --syntax-check", "ansible-inventory --list"),
        "--vault-password-file",
    ),
    Mistake(
        "terraform not initialised",
        "terraform validate -json mod§",
        "Exit code 1\n╷\n│ Error: Missing required provider\n│ \n│ This configuration requires provider registry.terraform.io/hashicorp/aws, but that provider isn't available. You may be able to install it automatically by running:\n│   terraform init\n╵",
        "terraform init -backend=false && terraform validate -json mod§",
        ("terraform fmt",),
        "terraform init",
    ),
    Mistake(
        "aws region",
        "aws ec2 describe-instances --instance-ids i-0§",
        'Exit code 253\n\nYou must specify a region. You can also configure your region by running "aws configure".',
        "aws ec2 describe-instances --instance-ids i-0§ --region eu-west-1",
        ("aws sts get-caller-identity", "aws ec2 describe-vpcs --region eu-west-1"),
        "--region",
    ),
    Mistake(
        "aws query quoting",
        "aws ec2 describe-images --owners self --filters Name=name,Values=till§ --query Images[*].ImageId",
        "Exit code 1\nzsh: no matches found: Images[*].ImageId",
        "aws ec2 describe-images --owners self --filters Name=name,Values=till§ --query 'Images[*].ImageId'",
        ("aws ec2 describe-images --owners self",),
        "[Qq]uot",
    ),
    Mistake(
        "az resource group",
        "az webapp show --name till§",
        "Exit code 2\nthe following arguments are required: --resource-group/-g\n\nExamples from AI knowledge base:\naz webapp show --name MyWebapp --resource-group MyResourceGroup\nGet the details of a web app.",
        "az webapp show --name till§ --resource-group shop",
        ("az account show", "az webapp list"),
        "--resource-group",
    ),
    Mistake(
        "gcloud format",
        "gcloud compute instances list --output json --limit §",
        "Exit code 2\nERROR: (gcloud.compute.instances.list) unrecognized arguments:\n  --output\n  json\n\nTo search the help text of gcloud commands, run:\n  gcloud help -- SEARCH_TERMS",
        "gcloud compute instances list --format json --limit §",
        ("gcloud config list", "gcloud compute instances list"),
        "--format",
    ),
    Mistake(
        "psql db",
        "psql -c 'select count(*) from tills where id > §'",
        'Exit code 2\npsql: error: connection to server on socket "/var/run/postgresql/.s.PGSQL.5432" failed: FATAL:  role "root" does not exist',
        "psql -U shop -h localhost shop -c 'select count(*) from tills where id > §'",
        ("psql -U shop -h localhost shop -c '\\dt'",),
        "-U",
    ),
    Mistake(
        "sqlite column",
        "sqlite3 app.db 'select created from tills limit §'",
        "Exit code 1\nError: in prepare, no such column: created\n  select created from tills limit 1\n         ^--- error here",
        "sqlite3 app.db 'select created_at from tills limit §'",
        ("sqlite3 app.db .schema", "sqlite3 app.db 'select id from tills'"),
        "created_at",
    ),
    Mistake(
        "redis auth",
        "redis-cli get till:§",
        "(error) NOAUTH Authentication required.",
        "redis-cli -a $REDIS_PASSWORD get till:§",
        ("redis-cli -a $REDIS_PASSWORD ping",),
        "-a",
    ),
    Mistake(
        "jq field quoting",
        "jq .dependencies.@shop/till§ package.json",
        "Exit code 3\njq: error: syntax error, unexpected '@' (Unix shell quoting issues?) at <top-level>, line 1:\n.dependencies.@shop/till1\njq: 1 compile error",
        "jq '.dependencies[\"@shop/till§\"]' package.json",
        ("jq .name package.json", "jq '.scripts' package.json"),
        "\\[|quot",
    ),
    Mistake(
        "jq null iterate",
        "gh run list --limit 1§ --json databaseId,state | jq '.[].state'",
        'Exit code 1\nUnknown JSON field: "state"\nAvailable fields:\n  attempt\n  conclusion\n  createdAt\n  databaseId\n  status\n  workflowName',
        "gh run list --limit 1§ --json databaseId,status | jq '.[].status'",
        ("gh run list --limit 3", "gh pr list --json number,state"),
        "status",
    ),
    Mistake(
        "yq flavour",
        "yq -r '.services.till§.image' compose.yml -y",
        "Exit code 1\nError: unknown shorthand flag: 'y' in -y",
        "yq -r '.services.till§.image' compose.yml",
        ("yq '.services | keys' compose.yml",),
        "-y",
    ),
    Mistake(
        "sed in place on macOS",
        "sed -i 's/till§/shelf/' src/app.ts",
        'Exit code 1\nsed: 1: "src/app.ts": unterminated substitute pattern',
        "sed -i '' 's/till§/shelf/' src/app.ts",
        ("sed -n 1,5p src/app.ts", "ls src"),
        "-i ''",
    ),
    Mistake(
        "awk on macOS",
        "awk 'BEGINFILE{print FILENAME} /till§/' src/*.ts | gawk 1",
        "Exit code 127\nbash: gawk: command not found",
        "awk 'FNR==1{print FILENAME} /till§/' src/*.ts",
        ("awk '{print $1}' notes.txt",),
        "gawk",
    ),
    Mistake(
        "grep -P on macOS",
        "grep -oP 'till\\K§\\d+' src/app.ts",
        "Exit code 2\ngrep: invalid option -- P\nusage: grep [-abcdDEFGHhIiJLlMmnOopqRSsUVvwXxZz] [-A num] [-B num] [-C[num]]\n\t[-e pattern] [-f file] [--binary-files=value] [--color=when]\n\t[pattern] [file ...]",
        "grep -oE 'till§[0-9]+' src/app.ts",
        ("grep -n till src/app.ts",),
        "-P\\b",
    ),
    Mistake(
        "date on macOS",
        "date -d '§ days ago' +%F",
        "Exit code 1\ndate: illegal option -- d\nusage: date [-jnRu] [-I[date|hours|minutes|seconds|ns]] [-f input_fmt]",
        "date -v-§d +%F",
        ("date +%F",),
        "-v",
    ),
    Mistake(
        "timeout on macOS",
        "timeout 6§ npm test",
        "Exit code 127\nzsh: command not found: timeout",
        "gtimeout 6§ npm test",
        ("npm ci",),
        "gtimeout",
    ),
    Mistake(
        "git submodule missing",
        "make -C vendor/lib§ all",
        "Exit code 2\nmake: *** vendor/lib1: No such file or directory.  Stop.",
        "git submodule update --init --recursive && make -C vendor/lib§ all",
        ("make all", "git status"),
        "submodule",
    ),
    Mistake(
        "git switch detached",
        "git checkout -b till-§ origin/master",
        "Exit code 128\nfatal: 'origin/master' is not a commit and a branch 'till-1' cannot be created from it",
        "git checkout -b till-§ origin/main",
        ("git fetch origin", "git status"),
        "main",
    ),
    Mistake(
        "gh body flag",
        "gh pr comment 1§ --message 'looks good'",
        "Exit code 1\nunknown flag: --message\n\nUsage:  gh pr comment [<number> | <url> | <branch>] [flags]\n\nFlags:\n  -b, --body text        The comment body text\n  -F, --body-file file",
        "gh pr comment 1§ --body 'looks good'",
        ("gh pr list", "gh pr view 12"),
        "--body",
    ),
    Mistake(
        "glab repo flag",
        "glab mr list --state opened --per-page §",
        "Exit code 1\nERROR: Unknown flag: --state.",
        "glab mr list --per-page §",
        ("glab mr view 3",),
        "--state",
    ),
    Mistake(
        "curl globbing",
        "curl -s http://localhost:8000/items?ids[]=§",
        "Exit code 3\ncurl: (3) bad range in URL position 33:\nhttp://localhost:8000/items?ids[]=1\n                                ^",
        "curl -sg 'http://localhost:8000/items?ids[]=§'",
        ("curl -s http://localhost:8000/health",),
        "-g|globb|quot",
    ),
    Mistake(
        "curl self signed",
        "curl -s https://localhost:844§/health --fail-with-body",
        "Exit code 60\ncurl: (60) SSL certificate problem: self-signed certificate\nMore details here: https://curl.se/docs/sslcerts.html",
        "curl -s --cacert certs/dev.pem https://localhost:844§/health --fail-with-body",
        ("curl -s http://localhost:8000/health",),
        "--cacert|certificate",
    ),
    Mistake(
        "openssl legacy",
        "openssl pkcs12 -in till§.p12 -nodes -out till.pem -passin pass:x",
        "Exit code 1\nError outputting keys and certificates\n40A7E8F2D27F0000:error:0308010C:digital envelope routines:inner_evp_generic_fetch:unsupported:../crypto/evp/evp_fetch.c:373:Global default library context, Algorithm (RC2-40-CBC : 0), Properties ()",
        "openssl pkcs12 -legacy -in till§.p12 -nodes -out till.pem -passin pass:x",
        ("openssl version", "openssl x509 -in a.pem -noout"),
        "-legacy",
    ),
    Mistake(
        "ssh option",
        "ssh -o StrictHostKeyCheck=no deploy@box§ uptime",
        "Exit code 255\ncommand-line: line 0: Bad configuration option: stricthostkeycheck",
        "ssh -o StrictHostKeyChecking=no deploy@box§ uptime",
        ("ssh deploy@box uptime",),
        "StrictHostKeyChecking",
    ),
    Mistake(
        "rsync option",
        "rsync -av --exclude-dir node_modules ./ box:/srv/till§/",
        "Exit code 1\nrsync: --exclude-dir: unknown option\nrsync error: syntax or usage error (code 1) at main.c(1795) [client=3.2.7]",
        "rsync -av --exclude node_modules ./ box:/srv/till§/",
        ("rsync -av ./ box:/srv/shelf/",),
        "--exclude\\b",
    ),
    Mistake(
        "systemctl in container",
        "systemctl restart till§",
        "Exit code 1\nSystem has not been booted with systemd as init system (PID 1). Can't operate.\nFailed to connect to bus: Host is down",
        "service till§ restart",
        ("service cron status",),
        "service",
    ),
    Mistake(
        "powershell env",
        "NODE_ENV=test npm test -- till§",
        "Exit code 1\nNODE_ENV=test : The term 'NODE_ENV=test' is not recognized as the name of a cmdlet, function, script file, or operable program. Check the spelling of the name, or if a path was included, verify that the path is correct and try again.\nAt line:1 char:1\n+ NODE_ENV=test npm test\n+ ~~~~~~~~~~~~~\n    + CategoryInfo          : ObjectNotFound: (NODE_ENV=test:String) [], CommandNotFoundException",
        "$env:NODE_ENV='test'; npm test -- till§",
        ("npm ci", "npm run build"),
        "\\$env:",
        (),
        "PowerShell",
    ),
    Mistake(
        "powershell head",
        "Get-Content log§.txt | head -20",
        "Exit code 1\nhead : The term 'head' is not recognized as the name of a cmdlet, function, script file, or operable program. Check the spelling of the name, or if a path was included, verify that the path is correct and try again.\nAt line:1 char:25",
        "Get-Content log§.txt | Select-Object -First 20",
        ("Get-ChildItem", "Get-Content notes.txt"),
        "Select-Object",
        (),
        "PowerShell",
    ),
    Mistake(
        "node esm require",
        "node -e \"const a = require('./src/till§.mjs'); console.log(a)\"",
        "Exit code 1\nnode:internal/modules/cjs/loader:1234\n    throw new ERR_REQUIRE_ESM(filename, true);\n    ^\n\nError [ERR_REQUIRE_ESM]: require() of ES Module /home/somebody/shop/src/till1.mjs not supported.\nInstead change the require of /home/somebody/shop/src/till1.mjs to a dynamic import() which is available in all CommonJS modules.",
        "node -e \"import('./src/till§.mjs').then(a => console.log(a))\"",
        ("node -v", "node scripts/seed.js"),
        "import\\(",
    ),
    Mistake(
        "node ts extension",
        "node src/jobs/till§.ts",
        'Exit code 1\nnode:internal/modules/esm/get_format:219\n  throw new ERR_UNKNOWN_FILE_EXTENSION(ext, filepath);\n        ^\n\nTypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts" for /home/somebody/shop/src/jobs/till1.ts',
        "npx tsx src/jobs/till§.ts",
        ("node -v", "node scripts/seed.js"),
        "tsx",
    ),
    Mistake(
        "eslint flat config ext",
        "npx eslint src/till§ --ext .ts",
        "Exit code 2\nInvalid option '--ext' - perhaps you meant '-c'?\nYou're using eslint.config.js, some command line flags are no longer available. Please see https://eslint.org/docs/latest/use/command-line-interface for details.",
        "npx eslint src/till§",
        ("npx eslint src", "npx prettier --check ."),
        "--ext",
    ),
    Mistake(
        "jest pattern option",
        "npx jest --testPathPattern src/till§",
        'Exit code 1\n● Validation Error:\n\n  Option "testPathPattern" was replaced by "--testPathPatterns". "--testPathPatterns" is only available as a command-line option.\n',
        "npx jest --testPathPatterns src/till§",
        ("npx jest", "npx jest --listTests"),
        "--testPathPatterns",
    ),
    Mistake(
        "vitest run in band",
        "npx vitest run --runInBand src/till§",
        "Exit code 1\nCACError: Unknown option `--runInBand`\n    at Command.checkUnknownOptions (file:///home/somebody/shop/node_modules/vitest/dist/cac.js:403:17)",
        "npx vitest run --no-file-parallelism src/till§",
        ("npx vitest run", "npx vitest list"),
        "--no-file-parallelism",
    ),
    Mistake(
        "playwright browsers",
        "npx playwright test e2e/till§.spec.ts",
        "Exit code 1\nError: browserType.launch: Executable doesn't exist at /root/.cache/ms-playwright/chromium-1148/chrome-linux/chrome\n╔═════════════════════════════════════════════════════════════════════════╗\n║ Looks like Playwright Test or Playwright was just installed or updated. ║\n║ Please run the following command to download new browsers:              ║\n║                                                                         ║\n║     npx playwright install                                              ║\n╚═════════════════════════════════════════════════════════════════════════╝",
        "npx playwright test e2e/till§.spec.ts",
        (),
        "playwright install",
        ("npx playwright install chromium",),
    ),
    Mistake(
        "pytest timeout plugin",
        "python -m pytest -q tests/test_till§.py --timeout=60",
        "Exit code 4\nERROR: usage: __main__.py [options] [file_or_dir] [file_or_dir] [...]\n__main__.py: error: unrecognized arguments: --timeout=60\n  inifile: /home/somebody/shop/pyproject.toml\n  rootdir: /home/somebody/shop",
        "python -m pytest -q tests/test_till§.py",
        ("python -m pytest -q", "python -m pytest --version"),
        "--timeout",
    ),
    Mistake(
        "mypy module and file",
        "mypy -p shop src/till§.py",
        "Exit code 2\nusage: mypy [-h] [-v] [-V] [more options; see below]\n            [-m MODULE] [-p PACKAGE] [-c PROGRAM_TEXT] [files ...]\nmypy: error: May only specify one of: module/package, files, or command.",
        "mypy src/till§.py",
        ("mypy --version", "mypy src"),
        "-p\\b|only",
    ),
    Mistake(
        "ruff without check",
        "ruff src/till§.py",
        "Exit code 2\nerror: unrecognized subcommand 'src/till1.py'\n\nUsage: ruff [OPTIONS] <COMMAND>\n\nFor more information, try '--help'.",
        "ruff check src/till§.py",
        ("ruff format src", "ruff check ."),
        "ruff check",
    ),
    Mistake(
        "django settings",
        "django-admin migrate till§",
        "Exit code 1\ndjango.core.exceptions.ImproperlyConfigured: Requested setting DATABASES, but settings are not configured. You must either define the environment variable DJANGO_SETTINGS_MODULE or call settings.configure() before accessing settings.",
        "python manage.py migrate till§",
        ("python manage.py check",),
        "manage\\.py",
    ),
    Mistake(
        "django test option",
        "python manage.py test shop.tests.test_till§ --keep-db",
        "Exit code 2\nusage: manage.py test [-h] [--noinput] [--failfast] [--keepdb] [-v {0,1,2,3}]\n                      [test_label ...]\nmanage.py test: error: unrecognized arguments: --keep-db",
        "python manage.py test shop.tests.test_till§ --keepdb",
        ("python manage.py test", "python manage.py check"),
        "--keepdb",
    ),
    Mistake(
        "flask app",
        "flask run --port 50§",
        "Exit code 2\nUsage: flask run [OPTIONS]\nTry 'flask run --help' for help.\n\nError: Could not locate a Flask application. Use the 'flask --app' option, 'FLASK_APP' environment variable, or a 'wsgi.py' or 'app.py' file in the current directory.",
        "flask --app shop.web run --port 50§",
        ("flask --version", "flask --app shop.web routes"),
        "--app",
    ),
    Mistake(
        "rustup component",
        "cargo clippy -p shop§ -- -D warnings",
        "Exit code 1\nerror: 'cargo-clippy' is not installed for the toolchain '1.82.0-x86_64-unknown-linux-gnu'.\nTo install, run `rustup component add clippy`",
        "cargo clippy -p shop§ -- -D warnings",
        (),
        "rustup component add clippy",
        ("rustup component add clippy",),
    ),
    Mistake(
        "go get tool",
        "go get -u golang.org/x/tools/cmd/stringer@v0.§.0",
        "Exit code 1\ngo: go.mod file not found in current directory or any parent directory.\n\t'go get' is no longer supported outside a module.\n\tTo build and install a command, use 'go install' with a version,\n\tlike 'go install example.com/cmd@latest'",
        "go install golang.org/x/tools/cmd/stringer@v0.§.0",
        ("go version",),
        "go install",
    ),
    Mistake(
        "adb several devices",
        "adb shell pm list packages till§",
        "Exit code 1\nadb: more than one device/emulator",
        "adb -s emulator-5554 shell pm list packages till§",
        ("adb devices", "adb -s emulator-5554 shell date"),
        "-s",
    ),
    Mistake(
        "flutter test option",
        "flutter test --test-name till§",
        "Exit code 64\nCould not find an option named \"--test-name\".\n\nRun 'flutter -h' (or 'flutter <command> -h') for available flutter commands and options.",
        "flutter test --plain-name till§",
        ("flutter test", "flutter pub get"),
        "--plain-name",
    ),
    Mistake(
        "tox env",
        "tox -e py31§ -- -k till",
        "Exit code 1\nROOT: HandledError| provided environments not found in configuration file:\npy311",
        "tox -e test -- -k till",
        ("tox list", "tox -e lint"),
        "test",
    ),
    Mistake(
        "nx project",
        "npx nx test till-app§ --skip-cache",
        "Exit code 1\n\n NX   Cannot find configuration for task till-app1:test\n\nPass --verbose to see the stacktrace.",
        "npx nx test till§ --skip-cache",
        ("npx nx show projects", "npx nx build shelf"),
        "till",
    ),
    Mistake(
        "turbo filter",
        "npx turbo build --scope=@shop/till§",
        "Exit code 1\n  × unexpected argument '--scope' found\n\n  tip: to pass '--scope' as a value, use '-- --scope'\n\nUsage: turbo build [OPTIONS]",
        "npx turbo build --filter=@shop/till§",
        ("npx turbo build", "npx turbo --version"),
        "--filter",
    ),
    Mistake(
        "bazel label",
        "bazel test till§/...",
        "Exit code 1\nERROR: no such target '//:till1/...': target 'till1/...' not declared in package ''\nINFO: Elapsed time: 0.1s",
        "bazel test //till§/...",
        ("bazel build //...",),
        "//till",
    ),
    Mistake(
        "conda activate",
        "conda activate shop§ && python -V",
        "Exit code 1\n\nCondaError: Run 'conda init' before 'conda activate'\n",
        'source "$(conda info --base)/etc/profile.d/conda.sh" && conda activate shop§ && python -V',
        ("conda env list",),
        "conda\\.sh|conda init|profile",
    ),
    Mistake(
        "podman compose",
        "podman run -v ./src:/src§ shop",
        "Exit code 125\nError: statfs /home/somebody/podman/srcs: no such file or directory",
        "podman run -v ./source:/src§ shop",
        ("podman ps",),
        "source",
    ),
    Mistake(
        "kustomize flag",
        "kubectl apply overlays/dev§",
        "Exit code 1\nerror: Unexpected args: [overlays/dev1]\nSee 'kubectl apply -h' for help and examples",
        "kubectl apply -k overlays/dev§",
        ("kubectl get ns", "kubectl apply -k overlays/prod"),
        "-k",
    ),
    Mistake(
        "flyctl app",
        "fly logs --tail §",
        "Exit code 1\nError: unknown flag: --tail",
        "fly logs --no-tail",
        ("fly status",),
        "--tail",
    ),
    Mistake(
        "vercel env",
        "vercel env list production§ --yes",
        "Exit code 1\nError: unknown or unexpected option: --yes",
        "vercel env list production§",
        ("vercel whoami",),
        "--yes",
    ),
    Mistake(
        "wrangler d1",
        "npx wrangler d1 execute shop --query 'select §'",
        "Exit code 1\n✘ [ERROR] Unknown arguments: query",
        "npx wrangler d1 execute shop --command 'select §'",
        ("npx wrangler whoami", "npx wrangler d1 list"),
        "--command",
    ),
    Mistake(
        "prisma migrate",
        "npx prisma migrate dev --name till§",
        "Exit code 1\nError: Prisma Migrate has detected that the environment is non-interactive, which is not supported.\n\n`prisma migrate dev` is an interactive command designed to create new migrations and evolve the database in development.",
        "npx prisma migrate deploy",
        ("npx prisma generate", "npx prisma format"),
        "deploy",
    ),
    Mistake(
        "prisma schema path",
        "npx prisma generate --watch=false§",
        "Exit code 1\nError: Could not find Prisma Schema that is required for this command.\nYou can either provide it with `--schema` argument, set it as `prisma.schema` in your package.json or put it into the default location.",
        "npx prisma generate --schema packages/db/schema.prisma",
        ("npx prisma -v",),
        "--schema",
    ),
    Mistake(
        "pandoc engine",
        "pandoc notes§.md -o notes.pdf",
        "Exit code 47\npdflatex not found. Please select a different --pdf-engine or install pdflatex",
        "pandoc notes§.md -o notes.pdf --pdf-engine=weasyprint",
        ("pandoc notes.md -o notes.html",),
        "--pdf-engine",
    ),
    Mistake(
        "ffmpeg overwrite",
        "ffmpeg -i till§.mov -vcodec h264x out.mp4",
        "Exit code 8\n[vost#0:0 @ 0x5] Unknown encoder 'h264x'\nError opening output file out.mp4.\nError opening output files: Encoder not found",
        "ffmpeg -i till§.mov -vcodec libx264 out.mp4",
        ("ffmpeg -version",),
        "libx264",
    ),
    Mistake(
        "tar strip",
        "tar -xzf till§.tgz --strip 1 -C",
        "Exit code 2\ntar: option requires an argument -- 'C'\nTry 'tar --help' or 'tar --usage' for more information.",
        "tar -xzf till§.tgz --strip 1 -C out",
        ("tar -tzf till.tgz",),
        "-C",
    ),
    Mistake(
        "unzip missing",
        "unzip -q till§.zip -d out",
        "Exit code 127\nbash: line 1: unzip: command not found",
        "python3 -m zipfile -e till§.zip out",
        ("ls",),
        "zipfile",
    ),
    Mistake(
        "pip break path",
        "python setup.py install --user§",
        "Exit code 2\npython: can't open file '/home/somebody/pip-break-path/setup.py': [Errno 2] No such file or directory",
        "pip install -e .",
        ("pip list",),
        "pip install -e",
    ),
    Mistake(
        "python2 print",
        "python -m venv env§ && env/bin/pip list",
        "Exit code 127\nbash: python: command not found",
        "python3 -m venv env§ && env/bin/pip list",
        ("python3 -V",),
        "python3",
    ),
    Mistake(
        "heroku app",
        "heroku run rake db:migrate:§",
        "Exit code 1\n ›   Error: Missing required flag app\n ›   See more help with --help",
        "heroku run rake db:migrate:§ --app shop",
        ("heroku apps",),
        "--app",
    ),
    Mistake(
        "mysql defaults",
        "mysqldump shop§ --column-stats=0 > d.sql",
        "Exit code 7\nmysqldump: [ERROR] unknown variable 'column-stats=0'.",
        "mysqldump shop§ --column-statistics=0 > d.sql",
        ("mysqldump --version",),
        "--column-statistics",
    ),
    Mistake(
        "elixir umbrella",
        "mix phx.gen.html Till Tills§ name",
        "Exit code 1\n** (Mix) mix phx.gen.html must be invoked from within your *_web application root directory",
        "cd apps/shop_web && mix phx.gen.html Till Tills§ name",
        ("mix deps.get", "mix test"),
        "apps/shop_web|folder|director",
    ),
    Mistake(
        "zsh bang",
        "curl -s localhost:9200/till§*/_count?q=a",
        "Exit code 1\nzsh: no matches found: localhost:9200/till1*/_count?q=a",
        "curl -s 'localhost:9200/till§*/_count?q=a'",
        ("curl -s localhost:9200",),
        "[Qq]uot",
    ),
    Mistake(
        "pip extra quoting",
        "pip install shop[dev§]",
        "Exit code 1\nzsh: no matches found: shop[dev1]",
        "pip install 'shop[dev§]'",
        ("pip list",),
        "[Qq]uot",
    ),
    Mistake(
        "pytest xdist",
        "pytest -n auto tests/test_till§.py",
        "Exit code 4\nERROR: usage: pytest [options] [file_or_dir] [file_or_dir] [...]\npytest: error: unrecognized arguments: -n\n  inifile: /home/somebody/shop/pytest.ini\n  rootdir: /home/somebody/shop",
        "pytest tests/test_till§.py",
        ("pytest -q",),
        "-n\\b",
    ),
    Mistake(
        "git stash name",
        "git stash save --message till§",
        "Exit code 129\nerror: unknown option `message'\nusage: git stash save [-p | --patch] [-S | --staged] [-k | --[no-]keep-index] [-q | --quiet]",
        "git stash push --message till§",
        ("git stash list", "git status"),
        "push|--message",
    ),
    Mistake(
        "npm workspace",
        "npm install zod --workspace=apps/till§",
        "Exit code 1\nnpm error No workspaces found:\nnpm error   --workspace=apps/till1",
        "npm install zod --workspace=@shop/till§",
        ("npm ls", "npm run lint"),
        "@shop/till",
    ),
    Mistake(
        "npx prettier glob",
        "npx prettier --write src/**/till§.ts --ignor-path .x",
        'Exit code 2\n[warn] Ignored unknown option --ignor-path .x. Did you mean --ignore-path?\n[error] No files matching the pattern were found: "src/**/till1.ts".',
        "npx prettier --write 'src/**/till§.ts' --ignore-path .x",
        ("npx prettier --check src",),
        "--ignore-path",
    ),
    Mistake(
        "go test run",
        "go test -run TestTill§ -v=true ./...  -timeoutt 5s",
        "Exit code 2\nflag provided but not defined: -timeoutt\nusage: go test [build/test flags] [packages] [build/test flags & test binary flags]\nRun 'go help test' and 'go help testflag' for details.",
        "go test -run TestTill§ -v=true ./... -timeout 5s",
        ("go build ./...",),
        "-timeout\\b",
    ),
    Mistake(
        "helm repo",
        "helm install till§ bitnami/redis",
        "Exit code 1\nError: INSTALLATION FAILED: repo bitnami not found",
        "helm repo add bitnami https://charts.bitnami.com/bitnami && helm install till§ bitnami/redis",
        ("helm list",),
        "helm repo add",
    ),
    Mistake(
        "kubectl namespace",
        "kubectl logs deploy/till§",
        'Exit code 1\nError from server (NotFound): deployments.apps "till1" not found',
        "kubectl logs deploy/till§ -n shop",
        ("kubectl get pods -n shop",),
        "-n",
    ),
    Mistake(
        "docker build context",
        "docker build -t till:§ -f docker/Dockerfile",
        "Exit code 1\nERROR: \"docker buildx build\" requires exactly 1 argument.\nSee 'docker buildx build --help'.\n\nUsage:  docker buildx build [OPTIONS] PATH | URL | -",
        "docker build -t till:§ -f docker/Dockerfile .",
        ("docker ps",),
        "\\.",
    ),
    Mistake(
        "psql table",
        "psql -d shop -c 'select * from till_items where id=§'",
        'Exit code 1\nERROR:  relation "till_items" does not exist\nLINE 1: select * from till_items where id=1\n                      ^',
        "psql -d shop -c 'select * from items where id=§'",
        ("psql -d shop -c '\\dt'",),
        "items",
    ),
    Mistake(
        "mysql password",
        "mysql -u root -psecret§ --databse shop -e 'select 1'",
        "Exit code 2\nmysql: [ERROR] unknown option '--databse'.",
        "mysql -u root -psecret§ --database shop -e 'select 1'",
        ("mysql --version",),
        "--database",
    ),
    Mistake(
        "ts-node missing",
        "ts-node scripts/till§.ts",
        "Exit code 127\nzsh: command not found: ts-node",
        "npx tsx scripts/till§.ts",
        ("npx tsc --noEmit",),
        "tsx",
    ),
    Mistake(
        "python module path",
        "python shop/till§.py",
        "Exit code 1\nTraceback (most recent call last):\n  File \"/home/somebody/shop/shop/till1.py\", line 1, in <module>\n    from shop.money import cents\nModuleNotFoundError: No module named 'shop'",
        "python -m shop.till§",
        ("python -m shop",),
        "-m",
    ),
    Mistake(
        "rubocop option",
        "bundle exec rubocop --auto-fix app/till§.rb",
        "Exit code 2\ninvalid option: --auto-fix\nFor usage information, use --help",
        "bundle exec rubocop --autocorrect app/till§.rb",
        ("bundle exec rubocop",),
        "--autocorrect",
    ),
    Mistake(
        "phpunit filter",
        "vendor/bin/phpunit --test till§",
        'Exit code 2\nPHPUnit 11.2.0 by Sebastian Bergmann and contributors.\n\nUnknown option "--test"',
        "vendor/bin/phpunit --filter till§",
        ("vendor/bin/phpunit",),
        "--filter",
    ),
    Mistake(
        "swift package",
        "swift package add-dependency till§",
        "Exit code 64\nerror: Missing expected option '--from <from>'\nUsage: swift package add-dependency <dependency>",
        "swift package add-dependency till§ --from 1.0.0",
        ("swift build",),
        "--from",
    ),
    Mistake(
        "gradle module",
        "./gradlew :till§:test",
        "Exit code 1\nFAILURE: Build failed with an exception.\n\n* What went wrong:\nCannot locate tasks that match ':till1:test' as project 'till1' not found in root project 'shop'.",
        "./gradlew :services:till§:test",
        ("./gradlew projects",),
        "services",
    ),
    Mistake(
        "make var",
        "make deploy ENVIRONMENT=prod§",
        "Exit code 2\nMakefile:12: *** STAGE is not set. Run make deploy STAGE=prod.  Stop.",
        "make deploy STAGE=prod§",
        ("make test",),
        "STAGE",
    ),
)

WORK = (
    Work(
        "pytest failure",
        (
            (
                "pytest -q tests/test_a.py",
                "Exit code 1\nF\n=== FAILURES ===\n    def test_a():\n>       assert total(2) == 4\nE       assert 5 == 4\n\ntests/test_a.py:4: AssertionError\n1 failed in 0.03s",
                True,
            ),
            ("src/a.py", None, False),
            ("pytest -q tests/test_a.py", "1 passed", False),
        ),
    ),
    Work(
        "grep no match",
        (
            ("grep -rn 'oldName' src", "Exit code 1\n", True),
            ("grep -rn 'newName' src", "src/a.py:3: newName", False),
        ),
    ),
    Work(
        "diff differs",
        (
            ("diff a.txt b.txt", "Exit code 1\n1c1\n< a\n---\n> b", True),
            ("cp a.txt b.txt", "", False),
            ("diff a.txt b.txt", "", False),
        ),
    ),
    Work(
        "eslint findings",
        (
            (
                "npx eslint src",
                "Exit code 1\n\n/home/somebody/shop/src/a.ts\n  3:7  error  'x' is assigned a value but never used  @typescript-eslint/no-unused-vars\n\n✖ 1 problem (1 error, 0 warnings)",
                True,
            ),
            ("src/a.ts", None, False),
            ("npx eslint src", "", False),
        ),
    ),
    Work(
        "tsc errors",
        (
            (
                "npx tsc --noEmit",
                "Exit code 2\nsrc/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
                True,
            ),
            ("src/a.ts", None, False),
            ("npx tsc --noEmit", "", False),
        ),
    ),
    Work(
        "cargo compile",
        (
            (
                "cargo build",
                'Exit code 101\n   Compiling shop v0.1.0 (/home/somebody/shop)\nerror[E0308]: mismatched types\n --> src/main.rs:4:18\n  |\n4 |     let x: i32 = "a";\n  |            ---   ^^^ expected `i32`, found `&str`\n\nerror: could not compile `shop` (bin "shop") due to 1 previous error',
                True,
            ),
            ("src/main.rs", None, False),
            ("cargo build", "Finished", False),
        ),
    ),
    Work(
        "go vet",
        (
            (
                "go vet ./...",
                "Exit code 1\n# shop/till\ntill/till.go:9:2: fmt.Printf format %d has arg name of wrong type string",
                True,
            ),
            ("till/till.go", None, False),
            ("go vet ./...", "", False),
        ),
    ),
    Work(
        "go test",
        (
            (
                "go test ./...",
                "Exit code 1\n--- FAIL: TestTill (0.00s)\n    till_test.go:9: got 3, want 4\nFAIL\nFAIL\tshop/till\t0.003s\nFAIL",
                True,
            ),
            ("till/till.go", None, False),
            ("go test ./...", "ok", False),
        ),
    ),
    Work(
        "killed server",
        (
            ("npm run dev", "Exit code 143\nTerminated", True),
            ("npm run build", "done", False),
        ),
    ),
    Work(
        "timeout server",
        (
            ("timeout 5 python -m http.server 8000", "Exit code 124\nServing HTTP on 0.0.0.0 port 8000", True),
            ("curl -s localhost:8000", "ok", False),
        ),
    ),
    Work(
        "flaky network",
        (
            (
                "npm install",
                "Exit code 1\nnpm error code ECONNRESET\nnpm error network aborted\nnpm error network This is a problem related to network connectivity.",
                True,
            ),
            ("npm install", "added 3 packages", False),
        ),
    ),
    Work(
        "git push rejected",
        (
            (
                "git push",
                "Exit code 1\nTo github.com:a/shop.git\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'github.com:a/shop.git'",
                True,
            ),
            ("git pull --rebase", "ok", False),
            ("git push", "ok", False),
        ),
    ),
    Work(
        "merge conflict",
        (
            (
                "git merge feature",
                "Exit code 1\nAuto-merging a.py\nCONFLICT (content): Merge conflict in a.py\nAutomatic merge failed; fix conflicts and then commit the result.",
                True,
            ),
            ("a.py", None, False),
            ("git commit -am merge", "ok", False),
        ),
    ),
    Work(
        "refused",
        (
            (
                "rm -rf build",
                "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.",
                True,
            ),
            ("git clean -n", "ok", False),
        ),
    ),
    Work(
        "look at missing file",
        (
            ("cat docs/PLAN.md", "Exit code 1\ncat: docs/PLAN.md: No such file or directory", True),
            ("ls docs", "README.md", False),
            ("cat docs/README.md", "text", False),
        ),
    ),
    Work(
        "ls missing",
        (
            (
                "ls packages/till/dist",
                "Exit code 2\nls: cannot access 'packages/till/dist': No such file or directory",
                True,
            ),
            ("ls packages/till", "src", False),
        ),
    ),
    Work(
        "jest failure",
        (
            (
                "npx jest",
                "Exit code 1\nFAIL src/a.test.ts\n  ● adds\n\n    expect(received).toBe(expected)\n\n    Expected: 4\n    Received: 5\n\nTests:       1 failed, 1 total",
                True,
            ),
            ("src/a.ts", None, False),
            ("npx jest", "ok", False),
        ),
    ),
    Work(
        "vitest failure",
        (
            (
                "npx vitest run",
                "Exit code 1\n FAIL  src/a.test.ts > adds\nAssertionError: expected 5 to be 4 // Object.is equality\n ❯ src/a.test.ts:4:20\n\n Test Files  1 failed (1)",
                True,
            ),
            ("src/a.ts", None, False),
            ("npx vitest run", "ok", False),
        ),
    ),
    Work(
        "mypy findings",
        (
            (
                "mypy src",
                'Exit code 1\nsrc/a.py:3: error: Incompatible return value type (got "str", expected "int")  [return-value]\nFound 1 error in 1 file (checked 3 source files)',
                True,
            ),
            ("src/a.py", None, False),
            ("mypy src", "Success", False),
        ),
    ),
    Work(
        "ruff findings",
        (
            (
                "ruff check .",
                "Exit code 1\nsrc/a.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n[*] 1 fixable with the `--fix` option.",
                True,
            ),
            ("ruff check --fix .", "Found 1 error (1 fixed, 0 remaining).", False),
        ),
    ),
    Work(
        "prettier check",
        (
            (
                "npx prettier --check .",
                "Exit code 1\nChecking formatting...\n[warn] src/a.ts\n[warn] Code style issues found in the above file. Run Prettier with --write to fix.",
                True,
            ),
            ("npx prettier --write .", "src/a.ts", False),
        ),
    ),
    Work(
        "black check",
        (
            (
                "black --check .",
                "Exit code 1\nwould reformat src/a.py\n\nOh no! 💥 💔 💥\n1 file would be reformatted, 3 files would be left unchanged.",
                True,
            ),
            ("black .", "reformatted", False),
        ),
    ),
    Work(
        "gofmt diff",
        (
            ('test -z "$(gofmt -l .)"', "Exit code 1\n", True),
            ("gofmt -w .", "", False),
        ),
    ),
    Work(
        "gradle compile",
        (
            (
                "./gradlew build",
                "Exit code 1\n> Task :compileJava FAILED\n/home/somebody/shop/src/main/java/A.java:3: error: ';' expected\n    int x = 1\n             ^\n1 error\n\nFAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':compileJava'.\n> Compilation failed; see the compiler error output for details.",
                True,
            ),
            ("src/main/java/A.java", None, False),
            ("./gradlew build", "BUILD SUCCESSFUL", False),
        ),
    ),
    Work(
        "gradle test",
        (
            (
                "./gradlew test",
                "Exit code 1\n> Task :test FAILED\n\nTillTest > sums() FAILED\n    org.opentest4j.AssertionFailedError at TillTest.java:9\n\n3 tests completed, 1 failed",
                True,
            ),
            ("src/main/java/A.java", None, False),
            ("./gradlew test", "BUILD SUCCESSFUL", False),
        ),
    ),
    Work(
        "maven test",
        (
            (
                "mvn -q test",
                "Exit code 1\n[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0\n[ERROR]   TillTest.sums:9 expected:<4> but was:<5>\n[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.0.0:test",
                True,
            ),
            ("src/A.java", None, False),
            ("mvn -q test", "", False),
        ),
    ),
    Work(
        "swift compile",
        (
            (
                "swift build",
                "Exit code 1\n/home/somebody/shop/Sources/a.swift:3:14: error: cannot find 'totl' in scope\n    return totl\n           ^~~~\nerror: fatalError",
                True,
            ),
            ("Sources/a.swift", None, False),
            ("swift build", "Build complete!", False),
        ),
    ),
    Work(
        "xcodebuild test",
        (
            (
                "xcodebuild test -scheme Till",
                'Exit code 65\n/Users/s/shop/TillTests.swift:9: error: -[TillTests testSum] : XCTAssertEqual failed: ("5") is not equal to ("4")\n** TEST FAILED **',
                True,
            ),
            ("Till.swift", None, False),
            ("xcodebuild test -scheme Till", "** TEST SUCCEEDED **", False),
        ),
    ),
    Work(
        "flutter analyze",
        (
            (
                "flutter analyze",
                "Exit code 1\nAnalyzing shop...\n\nwarning • Unused import: 'dart:io' • lib/a.dart:1:8 • unused_import\n\n1 issue found. (ran in 2.1s)",
                True,
            ),
            ("lib/a.dart", None, False),
            ("flutter analyze", "No issues found!", False),
        ),
    ),
    Work(
        "rubocop",
        (
            (
                "bundle exec rubocop",
                "Exit code 1\nOffenses:\n\napp/a.rb:1:1: C: [Correctable] Style/FrozenStringLiteralComment: Missing frozen string literal comment.\n\n1 file inspected, 1 offense detected",
                True,
            ),
            ("bundle exec rubocop -a", "ok", False),
        ),
    ),
    Work(
        "rspec failure",
        (
            (
                "bundle exec rspec",
                "Exit code 1\nF\n\nFailures:\n\n  1) Till sums\n     Failure/Error: expect(till.sum).to eq(4)\n       expected: 4\n            got: 5\n\n1 example, 1 failure",
                True,
            ),
            ("app/a.rb", None, False),
            ("bundle exec rspec", "ok", False),
        ),
    ),
    Work(
        "phpunit",
        (
            (
                "vendor/bin/phpunit",
                "Exit code 1\nThere was 1 failure:\n\n1) TillTest::testSum\nFailed asserting that 5 matches expected 4.\n\nFAILURES!\nTests: 1, Assertions: 1, Failures: 1.",
                True,
            ),
            ("src/A.php", None, False),
            ("vendor/bin/phpunit", "OK", False),
        ),
    ),
    Work(
        "phpstan",
        (
            (
                "vendor/bin/phpstan analyse",
                "Exit code 1\n ------ ------------------------------\n  Line   src/A.php\n ------ ------------------------------\n  3      Method A::b() has no return type specified.\n\n [ERROR] Found 1 error",
                True,
            ),
            ("src/A.php", None, False),
            ("vendor/bin/phpstan analyse", "[OK]", False),
        ),
    ),
    Work(
        "dotnet build",
        (
            (
                "dotnet build",
                "Exit code 1\n/home/s/shop/A.cs(3,9): error CS0103: The name 'totl' does not exist in the current context [/home/s/shop/shop.csproj]\n\nBuild FAILED.",
                True,
            ),
            ("A.cs", None, False),
            ("dotnet build", "Build succeeded.", False),
        ),
    ),
    Work(
        "cmake compile",
        (
            (
                "cmake --build build",
                "Exit code 2\n[ 50%] Building CXX object CMakeFiles/till.dir/a.cpp.o\n/home/s/shop/a.cpp:3:5: error: 'totl' was not declared in this scope\ngmake[2]: *** [CMakeFiles/till.dir/build.make:76: CMakeFiles/till.dir/a.cpp.o] Error 1",
                True,
            ),
            ("a.cpp", None, False),
            ("cmake --build build", "ok", False),
        ),
    ),
    Work(
        "make test",
        (
            (
                "make test",
                "Exit code 2\nnot ok 3 - sums\n# expected 4, got 5\nmake: *** [Makefile:9: test] Error 1",
                True,
            ),
            ("a.c", None, False),
            ("make test", "ok", False),
        ),
    ),
    Work(
        "terraform plan finding",
        (
            (
                "terraform plan",
                'Exit code 1\n╷\n│ Error: Reference to undeclared input variable\n│ \n│   on main.tf line 4, in resource "aws_instance" "till":\n│    4:   ami = var.amy\n│ \n│ An input variable with the name "amy" has not been declared.\n╵',
                True,
            ),
            ("main.tf", None, False),
            ("terraform plan", "ok", False),
        ),
    ),
    Work(
        "terraform lock",
        (
            (
                "terraform apply -auto-approve",
                "Exit code 1\n╷\n│ Error: Error acquiring the state lock\n│ \n│ Error message: ConditionalCheckFailedException\n╵",
                True,
            ),
            ("terraform apply -auto-approve", "Apply complete!", False),
        ),
    ),
    Work(
        "kubectl not found look",
        (
            (
                "kubectl get pod till-abc -n shop",
                'Exit code 1\nError from server (NotFound): pods "till-abc" not found',
                True,
            ),
            ("kubectl get pods -n shop", "till-def", False),
        ),
    ),
    Work(
        "docker build error",
        (
            (
                "docker build -t shop .",
                "Exit code 1\n > [4/5] RUN npm run build:\n0.512 src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.\n------\nERROR: failed to solve: process \"/bin/sh -c npm run build\" did not complete successfully: exit code: 2",
                True,
            ),
            ("src/a.ts", None, False),
            ("docker build -t shop .", "ok", False),
        ),
    ),
    Work(
        "port in use",
        (
            (
                "npm start",
                "Exit code 1\nError: listen EADDRINUSE: address already in use :::3000\n    at Server.setupListenHandle",
                True,
            ),
            ("npm start", "listening", False),
        ),
    ),
    Work(
        "curl refused while starting",
        (
            (
                "curl -sf http://localhost:3000/health",
                "Exit code 7\ncurl: (7) Failed to connect to localhost port 3000 after 0 ms: Couldn't connect to server",
                True,
            ),
            ("curl -sf http://localhost:3000/health", "ok", False),
        ),
    ),
    Work(
        "http 500 of own app",
        (
            (
                "curl -sf http://localhost:3000/tills",
                "Exit code 22\ncurl: (22) The requested URL returned error: 500",
                True,
            ),
            ("src/tills.ts", None, False),
            ("curl -sf http://localhost:3000/tills", "[]", False),
        ),
    ),
    Work(
        "test -f",
        (
            ("test -f .env", "Exit code 1\n", True),
            ("cp .env.example .env", "", False),
        ),
    ),
    Work(
        "which nothing",
        (
            ("which rustup", "Exit code 1\n", True),
            ("ls ~/.cargo/bin", "cargo", False),
        ),
    ),
    Work(
        "pgrep",
        (
            ("pgrep -f 'node server'", "Exit code 1\n", True),
            ("node server.js &", "", False),
        ),
    ),
    Work(
        "cancelled sibling",
        (
            (
                "npm run lint",
                "<tool_use_error>Cancelled: parallel tool call Bash(npm test) errored</tool_use_error>",
                True,
            ),
            ("npm run lint", "ok", False),
        ),
    ),
    Work(
        "interrupted",
        (
            ("npm run e2e", "[Request interrupted by user for tool use]", True),
            ("npm run e2e -- --project chromium", "ok", False),
        ),
    ),
    Work(
        "rate limit",
        (
            ("gh api repos/a/b/issues", "Exit code 1\ngh: API rate limit exceeded for user ID 1. (HTTP 403)", True),
            ("gh api repos/a/b/issues", "[]", False),
        ),
    ),
    Work(
        "registry 503",
        (
            (
                "docker pull alpine:3.20",
                "Exit code 1\nError response from daemon: received unexpected HTTP status: 503 Service Unavailable",
                True,
            ),
            ("docker pull alpine:3.20", "ok", False),
        ),
    ),
    Work(
        "python traceback of code in work",
        (
            (
                "python -m shop.till",
                "Exit code 1\nTraceback (most recent call last):\n  File \"/home/somebody/shop/shop/till.py\", line 9, in <module>\n    total(None)\nTypeError: unsupported operand type(s) for +: 'int' and 'NoneType'",
                True,
            ),
            ("shop/till.py", None, False),
            ("python -m shop.till", "ok", False),
        ),
    ),
    Work(
        "node traceback of own code",
        (
            (
                "node server.js",
                "Exit code 1\n/home/somebody/shop/server.js:9\n  app.lisen(3000)\n      ^\n\nTypeError: app.lisen is not a function\n    at Object.<anonymous> (/home/somebody/shop/server.js:9:5)",
                True,
            ),
            ("server.js", None, False),
            ("node server.js", "listening", False),
        ),
    ),
    Work(
        "alembic own migration",
        (
            (
                "alembic upgrade head",
                'Exit code 1\nsqlalchemy.exc.ProgrammingError: (psycopg2.errors.DuplicateColumn) column "name" of relation "tills" already exists',
                True,
            ),
            ("migrations/versions/a.py", None, False),
            ("alembic upgrade head", "ok", False),
        ),
    ),
    Work(
        "coverage threshold",
        (
            (
                "npm run test:coverage",
                "Exit code 1\nERROR: Coverage for lines (78.1%) does not meet global threshold (80%)",
                True,
            ),
            ("src/a.test.ts", None, False),
            ("npm run test:coverage", "ok", False),
        ),
    ),
    Work(
        "pre-commit hook formats",
        (
            (
                "git commit -m 'add till'",
                "Exit code 1\ntrim trailing whitespace.................................................Failed\n- hook id: trailing-whitespace\n- files were modified by this hook\n\nFixing src/a.py",
                True,
            ),
            ("git add -A && git commit -m 'add till'", "ok", False),
        ),
    ),
    Work(
        "npm audit",
        (
            (
                "npm audit",
                "Exit code 1\n# npm audit report\n\nlodash  <4.17.21\nSeverity: high\n\n1 high severity vulnerability",
                True,
            ),
            ("npm audit fix", "ok", False),
        ),
    ),
    Work(
        "ci checks fail",
        (
            ("gh pr checks 12", "Exit code 1\nbuild\tfail\t1m2s\thttps://github.com/a/b/actions/runs/1", True),
            ("gh run view 1 --log-failed", "log", False),
        ),
    ),
    Work(
        "nothing to commit",
        (
            ("git commit -m 'x'", "Exit code 1\nOn branch main\nnothing to commit, working tree clean", True),
            ("git log -1", "ok", False),
        ),
    ),
    Work(
        "playwright failure",
        (
            (
                "npx playwright test",
                'Exit code 1\n  1) [chromium] › till.spec.ts:3:5 › sums\n\n    Error: expect(locator).toHaveText(expected)\n\n    Expected string: "4"\n    Received string: "5"\n\n  1 failed',
                True,
            ),
            ("src/a.ts", None, False),
            ("npx playwright test", "1 passed", False),
        ),
    ),
    Work(
        "out of memory",
        (
            (
                "npm run build:all",
                "Exit code 134\nFATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
                True,
            ),
            ("vite.config.ts", None, False),
            ("npm run build:all", "ok", False),
        ),
    ),
    Work(
        "tox failure",
        (
            (
                "tox -e test",
                "Exit code 1\nFAILED tests/test_a.py::test_a - assert 5 == 4\n1 failed, 3 passed in 0.1s\ntest: exit 1 (0.52 seconds)\n  test: FAIL code 1",
                True,
            ),
            ("src/a.py", None, False),
            ("tox -e test", "ok", False),
        ),
    ),
    Work(
        "nx lint",
        (
            (
                "npx nx lint till",
                "Exit code 1\n\n/home/s/shop/apps/till/a.ts\n  1:1  error  Unexpected any  @typescript-eslint/no-explicit-any\n\n✖ 1 problem\n\n NX   Running target lint for project till failed",
                True,
            ),
            ("apps/till/a.ts", None, False),
            ("npx nx lint till", "ok", False),
        ),
    ),
    Work(
        "turbo build fails",
        (
            (
                "npx turbo build",
                "Exit code 1\n@shop/till:build: src/a.ts(3,7): error TS2304: Cannot find name 'totl'.\n ERROR  run failed: command  exited (2)",
                True,
            ),
            ("src/a.ts", None, False),
            ("npx turbo build", "ok", False),
        ),
    ),
    Work(
        "bazel test",
        (
            (
                "bazel test //...",
                "Exit code 3\n//till:till_test                    FAILED in 0.3s\n\nExecuted 1 out of 1 test: 1 fails locally.",
                True,
            ),
            ("till/a.cc", None, False),
            ("bazel test //...", "ok", False),
        ),
    ),
    Work(
        "django test",
        (
            (
                "python manage.py test",
                "Exit code 1\nF\n======\nFAIL: test_sum (shop.tests.TillTest)\nAssertionError: 5 != 4\n\nRan 1 test in 0.01s\n\nFAILED (failures=1)",
                True,
            ),
            ("shop/models.py", None, False),
            ("python manage.py test", "OK", False),
        ),
    ),
    Work(
        "django missing migration check",
        (
            (
                "python manage.py makemigrations --check",
                "Exit code 1\nMigrations for 'shop':\n  shop/migrations/0002_till.py\n    - Add field name to till",
                True,
            ),
            ("python manage.py makemigrations", "ok", False),
        ),
    ),
    Work(
        "clippy findings",
        (
            (
                "cargo clippy -- -D warnings",
                'Exit code 101\nerror: unused variable: `x`\n --> src/main.rs:2:9\n  = note: `-D unused-variables` implied by `-D warnings`\n\nerror: could not compile `shop` (bin "shop") due to 1 previous error',
                True,
            ),
            ("src/main.rs", None, False),
            ("cargo clippy -- -D warnings", "ok", False),
        ),
    ),
    Work(
        "cargo test",
        (
            (
                "cargo test",
                "Exit code 101\ntest till::sums ... FAILED\n\n---- till::sums stdout ----\nthread 'till::sums' panicked at src/till.rs:9:9:\nassertion `left == right` failed\n  left: 5\n right: 4\n\ntest result: FAILED. 0 passed; 1 failed",
                True,
            ),
            ("src/till.rs", None, False),
            ("cargo test", "ok", False),
        ),
    ),
    Work(
        "cargo fmt check",
        (
            (
                "cargo fmt --check",
                "Exit code 1\nDiff in /home/s/shop/src/main.rs:1:\n-fn main( ) {\n+fn main() {",
                True,
            ),
            ("cargo fmt", "", False),
        ),
    ),
    Work(
        "flutter test",
        (
            (
                "flutter test",
                "Exit code 1\n00:01 +0 -1: sums [E]\n  Expected: <4>\n    Actual: <5>\n\n00:01 +0 -1: Some tests failed.",
                True,
            ),
            ("lib/a.dart", None, False),
            ("flutter test", "ok", False),
        ),
    ),
    Work(
        "adb offline",
        (
            ("adb -s emulator-5554 install app.apk", "Exit code 1\nadb: device offline", True),
            ("adb -s emulator-5554 install app.apk", "Success", False),
        ),
    ),
    Work(
        "helm lint",
        (
            (
                "helm lint chart",
                'Exit code 1\n==> Linting chart\n[ERROR] templates/: template: shop/templates/a.yaml:3: unexpected "}" in operand\n\nError: 1 chart(s) linted, 1 chart(s) failed',
                True,
            ),
            ("chart/templates/a.yaml", None, False),
            ("helm lint chart", "ok", False),
        ),
    ),
    Work(
        "kubectl wait",
        (
            (
                "kubectl wait --for=condition=ready pod/till --timeout=30s",
                "Exit code 1\nerror: timed out waiting for the condition on pods/till",
                True,
            ),
            ("kubectl wait --for=condition=ready pod/till --timeout=30s", "ok", False),
        ),
    ),
    Work(
        "ansible unreachable",
        (
            (
                "ansible-playbook site.yml",
                'Exit code 4\nfatal: [web1]: UNREACHABLE! => {"changed": false, "msg": "Failed to connect to the host via ssh: ssh: connect to host web1 port 22: Connection timed out", "unreachable": true}',
                True,
            ),
            ("ansible-playbook site.yml", "ok", False),
        ),
    ),
    Work(
        "ansible lint",
        (
            (
                "ansible-lint",
                "Exit code 2\nname[casing]: All names should start with an uppercase letter.\nsite.yml:3 Task/Handler: install\n\nFailed: 1 failure(s), 0 warning(s)",
                True,
            ),
            ("site.yml", None, False),
            ("ansible-lint", "ok", False),
        ),
    ),
    Work(
        "shellcheck",
        (
            (
                "shellcheck run.sh",
                "Exit code 1\nIn run.sh line 3:\nrm $x\n   ^-- SC2086 (info): Double quote to prevent globbing and word splitting.",
                True,
            ),
            ("run.sh", None, False),
            ("shellcheck run.sh", "", False),
        ),
    ),
    Work(
        "yamllint",
        (
            (
                "yamllint .",
                "Exit code 1\n./a.yml\n  3:1       error    wrong indentation: expected 2 but found 4  (indentation)",
                True,
            ),
            ("a.yml", None, False),
            ("yamllint .", "", False),
        ),
    ),
    Work(
        "hadolint",
        (
            ("hadolint Dockerfile", "Exit code 1\nDockerfile:3 DL3008 warning: Pin versions in apt get install", True),
            ("Dockerfile", None, False),
            ("hadolint Dockerfile", "", False),
        ),
    ),
    Work(
        "git apply",
        (
            (
                "git apply fix.patch",
                "Exit code 1\nerror: patch failed: src/a.py:3\nerror: src/a.py: patch does not apply",
                True,
            ),
            ("src/a.py", None, False),
            ("git diff", "ok", False),
        ),
    ),
    Work(
        "git rebase conflict",
        (
            (
                "git rebase main",
                "Exit code 1\nCONFLICT (content): Merge conflict in src/a.py\nerror: could not apply 1a2b3c4... add till\nhint: Resolve all conflicts manually",
                True,
            ),
            ("src/a.py", None, False),
            ("git add -A && GIT_EDITOR=true git rebase --continue", "ok", False),
        ),
    ),
    Work(
        "git grep none",
        (
            ("git grep -n oldName", "Exit code 1\n", True),
            ("git grep -n newName", "a.py:1:newName", False),
        ),
    ),
    Work(
        "rg none",
        (
            ("rg 'oldName' src", "Exit code 1\n", True),
            ("rg 'old_name' src", "a", False),
        ),
    ),
    Work(
        "sigkill",
        (
            ("npm run test:e2e", "Exit code 137\nKilled", True),
            ("npm run test:e2e -- --workers 1", "ok", False),
        ),
    ),
    Work(
        "segfault of own program",
        (
            ("./build/till", "Exit code 139\nSegmentation fault (core dumped)", True),
            ("a.cpp", None, False),
            ("./build/till", "ok", False),
        ),
    ),
    Work(
        "dns failure",
        (
            (
                "pip install httpx",
                "Exit code 1\nWARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError: Temporary failure in name resolution'\nERROR: No matching distribution found for httpx",
                True,
            ),
            ("pip install httpx", "ok", False),
        ),
    ),
    Work(
        "asks in a hook",
        (
            ("git push origin main", "PreToolUse:Bash hook error: pushes to main need a review", True),
            ("git push origin till", "ok", False),
        ),
    ),
    Work(
        "permission denied by client",
        (
            (
                "sudo apt-get install jq",
                "Permission to use Bash with command sudo apt-get install jq has been denied.",
                True,
            ),
            ("apt list --installed", "ok", False),
        ),
    ),
    Work(
        "db not up yet",
        (
            (
                "psql -h localhost -U shop shop -c 'select 1'",
                'Exit code 2\npsql: error: connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused\n\tIs the server running on that host and accepting TCP/IP connections?',
                True,
            ),
            ("docker compose up -d db", "ok", False),
            ("psql -h localhost -U shop shop -c 'select 1'", "1", False),
        ),
    ),
    Work(
        "elixir compile",
        (
            (
                "mix compile",
                "Exit code 1\n== Compilation error in file lib/till.ex ==\n** (CompileError) lib/till.ex:3: undefined function totl/1",
                True,
            ),
            ("lib/till.ex", None, False),
            ("mix compile", "ok", False),
        ),
    ),
    Work(
        "ghc error",
        (
            ("cabal build", "Exit code 1\nsrc/Till.hs:3:5: error: [GHC-88464]\n    Variable not in scope: totl", True),
            ("src/Till.hs", None, False),
            ("cabal build", "ok", False),
        ),
    ),
    Work(
        "pytest error in fixture",
        (
            (
                "pytest -q",
                "Exit code 1\nERROR tests/test_a.py - sqlalchemy.exc.OperationalError: no such table: tills\n1 error in 0.3s",
                True,
            ),
            ("tests/conftest.py", None, False),
            ("pytest -q", "1 passed", False),
        ),
    ),
    Work(
        "biome",
        (
            (
                "npx biome check src",
                "Exit code 1\nsrc/a.ts:3:7 lint/style/useConst ━━━━━━\n\n  × This let declares a variable that is only assigned once.\n\nFound 1 error.",
                True,
            ),
            ("npx biome check --write src", "ok", False),
        ),
    ),
    Work(
        "dprint check",
        (
            ("dprint check", "Exit code 20\nfrom /home/s/shop/a.ts:\n1| let  a\n--\nFound 1 not formatted file.", True),
            ("dprint fmt", "ok", False),
        ),
    ),
    Work(
        "cargo deny",
        (
            (
                "cargo deny check",
                "Exit code 1\nerror[vulnerability]: crash in foo\n  ┌─ /home/s/shop/Cargo.lock:9:1\nadvisories FAILED, bans ok",
                True,
            ),
            ("Cargo.toml", None, False),
            ("cargo deny check", "ok", False),
        ),
    ),
    Work(
        "terraform fmt check",
        (
            ("terraform fmt -check", "Exit code 3\nmain.tf", True),
            ("terraform fmt", "main.tf", False),
        ),
    ),
    Work(
        "gh run watch",
        (
            (
                "gh run watch 12 --exit-status",
                "Exit code 1\nX main CI · 12\nJOBS\nX build in 1m (ID 1)\n  X Run tests",
                True,
            ),
            ("gh run view 12 --log-failed", "log", False),
        ),
    ),
    Work(
        "curl 404 of own app",
        (
            (
                "curl -sf localhost:3000/api/tills/9",
                "Exit code 22\ncurl: (22) The requested URL returned error: 404",
                True,
            ),
            ("curl -sf localhost:3000/api/tills/1", "{}", False),
        ),
    ),
    Work(
        "kill gone",
        (
            ("kill 4711", "Exit code 1\nbash: line 1: kill: (4711) - No such process", True),
            ("npm start", "ok", False),
        ),
    ),
    Work(
        "git cherry-pick conflict",
        (
            (
                "git cherry-pick abc1234",
                "Exit code 1\nCONFLICT (content): Merge conflict in a.py\nerror: could not apply abc1234... till",
                True,
            ),
            ("a.py", None, False),
            ("git cherry-pick --continue", "ok", False),
        ),
    ),
    Work(
        "git diff exit",
        (
            ("git diff --exit-code", "Exit code 1\ndiff --git a/a.py b/a.py\n+x", True),
            ("git add -A", "", False),
            ("git commit -m x", "ok", False),
        ),
    ),
    Work(
        "npm test own code",
        (
            (
                "npm test",
                "Exit code 1\nReferenceError: totl is not defined\n    at sum (/home/s/shop/src/a.js:3:3)\n    at Object.<anonymous> (/home/s/shop/test/a.js:5:1)",
                True,
            ),
            ("src/a.js", None, False),
            ("npm test", "ok", False),
        ),
    ),
    Work(
        "docker healthcheck",
        (
            ("docker compose up -d --wait", "Exit code 1\ncontainer shop-db-1 is unhealthy", True),
            ("docker compose logs db", "log", False),
            ("docker compose up -d --wait", "ok", False),
        ),
    ),
    Work(
        "apt lock",
        (
            (
                "apt-get install -y jq",
                "Exit code 100\nE: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 12 (apt-get)",
                True,
            ),
            ("apt-get install -y jq", "ok", False),
        ),
    ),
    Work(
        "gofmt list",
        (
            ("gofmt -l . | grep .", "Exit code 1\n", True),
            ("go vet ./...", "", False),
        ),
    ),
    Work(
        "jq empty",
        (
            ("jq -e '.missing' a.json", "Exit code 1\nnull", True),
            ("jq 'keys' a.json", "[]", False),
        ),
    ),
    Work(
        "server timeout",
        (
            ("timeout 10 npm run preview", "Exit code 124\nLocal: http://localhost:4173/", True),
            ("npm run build", "ok", False),
        ),
    ),
    Work(
        "kotlin compile",
        (
            (
                "./gradlew compileKotlin",
                "Exit code 1\ne: file:///home/s/shop/A.kt:3:5 Unresolved reference: totl\n\nFAILURE: Build failed with an exception.\n* What went wrong:\nExecution failed for task ':compileKotlin'.",
                True,
            ),
            ("A.kt", None, False),
            ("./gradlew compileKotlin", "ok", False),
        ),
    ),
    Work(
        "scala test",
        (
            (
                "sbt test",
                "Exit code 1\n[info] - sums *** FAILED ***\n[info]   5 did not equal 4 (TillSpec.scala:9)\n[error] Failed: Total 1, Failed 1, Errors 0, Passed 0",
                True,
            ),
            ("Till.scala", None, False),
            ("sbt test", "ok", False),
        ),
    ),
    Work(
        "migration drift",
        (
            (
                "npx prisma migrate status",
                "Exit code 1\nFollowing migration have not yet been applied:\n20240101_till",
                True,
            ),
            ("npx prisma migrate deploy", "ok", False),
        ),
    ),
    Work(
        "codegen check",
        (
            ("make generate && git diff --exit-code gen", "Exit code 1\ndiff --git a/gen/a.go b/gen/a.go\n+x", True),
            ("git add gen", "", False),
            ("git commit -m gen", "ok", False),
        ),
    ),
)
