"""What programs of many kinds print about an unknown or missing option."""

FLAG = r"""
$$ gh pr diff 12 --stat
unknown flag: --stat

Usage:  gh pr diff [<number> | <url> | <branch>] [flags]
$$ gh run view 5 --json actor
Unknown JSON field: "actor"
Available fields:
  conclusion
$$ gh pr view 1 2
accepts at most 1 arg(s), received 2
$$ gh pr create
must provide `--title` and `--body` (or `--fill` or `fill-first` or `--fillverbose`) when not running interactively
$$ [129] git log --onelin --nosuch
fatal: unrecognized argument: --nosuch
$$ [129] git branch --show
error: unknown option `show'
usage: git branch [<options>]
$$ [128] git diff --name-only --name-status
fatal: options '--name-only' and '--name-status' cannot be used together
$$ [128] git log main --stat -- a --oneline x
fatal: option '--stat' must come before non-option arguments
$$ [2] cargo test --fast
error: unexpected argument '--fast' found

  tip: to pass '--fast' as a value, use '-- --fast'

Usage: cargo test [OPTIONS] [TESTNAME] [-- [ARGS]...]
$$ [2] cargo run --bin
error: a value is required for '--bin [<NAME>]' but none was supplied
$$ [4] pytest --fast
ERROR: usage: pytest [options] [file_or_dir] [file_or_dir] [...]
pytest: error: unrecognized arguments: --fast
  inifile: /srv/shop/pyproject.toml
  rootdir: /srv/shop
$$ [2] black --lines 3 .
Usage: black [OPTIONS] SRC ...
Try 'black -h' for help.

Error: No such option: --lines Did you mean --line-length?
$$ [2] pip install --fast x
Usage:
  pip install [options] <requirement specifier> [package-index-options] ...

no such option: --fast
$$ [1] poetry install --dev
The option "--dev" does not exist
$$ [2] conda env make
conda: error: argument COMMAND: invalid choice: 'make' (choose from 'create', 'list')
$$ npx tsc --noemit2
error TS5023: Unknown compiler option '--noemit2'.
$$ npx tsc -p . src/a.ts
error TS5042: Option 'project' cannot be mixed with source files on a command line.
$$ [2] npx eslint --ext .ts .
Invalid option '--ext' - perhaps you meant '-c'?
You're using eslint.config.js, some command line flags are no longer available.
$$ npx jest --watc
● Unrecognized CLI Parameter:

  Unrecognized option "watc". Did you mean "watch"?

  CLI Options Documentation:
  https://jestjs.io/docs/cli
$$ npx vitest --threds
file:///srv/shop/node_modules/vitest/dist/chunks/cac.js:404
CACError: Unknown option `--threds`
    at Command.checkUnknownOptions (file:///srv/shop/node_modules/vitest/dist/chunks/cac.js:404:17)

Node.js v22.11.0
$$ npx playwright test --heded
error: unknown option '--heded'
(Did you mean --headed?)
$$ pnpm install --fast
 ERROR  Unknown option: 'fast'
For help, run: pnpm help install
$$ npm ci
npm error code EUSAGE
npm error
npm error The `npm ci` command can only install with an existing package-lock.json
$$ deno run fetch.ts
error: Uncaught (in promise) NotCapable: Requires net access to "example.com:443", run again with the --allow-net flag
$$ [2] go test -rce ./...
flag provided but not defined: -rce
usage: go test [build/test flags] [packages] [build/test flags & test binary flags]
$$ terraform plan -fast
Error: Failed to parse command-line flags

flag provided but not defined: -fast
$$ [2] javac --fast Shop.java
error: invalid flag: --fast
Usage: javac <options> <source files>
$$ java -fast Shop
Unrecognized option: -fast
Error: Could not create the Java Virtual Machine.
$$ ./gradlew test --fast
FAILURE: Build failed with an exception.

* What went wrong:
Unknown command-line option '--fast'.

BUILD FAILED in 1s
$$ mvn test --fast
[ERROR] Error executing Maven.
[ERROR] Unable to parse command line options: Unrecognized option: --fast
$$ gcc -fast main.c
gcc: error: unrecognized command-line option '-fast'
$$ clang -foo main.c
clang: error: unknown argument: '-foo'
$$ [64] xcodebuild -fast
xcodebuild: error: invalid option '-fast'
$$ dotnet build --fast
MSBUILD : error MSB1001: Unknown switch.
    Full command line: 'MSBuild.dll --fast'
$$ bundle exec rspec --fast
invalid option: --fast

Please use --help for a listing of valid options
$$ [2] vendor/bin/phpunit --fast
PHPUnit 11.4.3 by Sebastian Bergmann and contributors.

Unknown option "--fast"
$$ [2] curl --fast https://example.com
curl: option --fast: is unknown
curl: try 'curl --help' or 'curl --manual' for more information
$$ rsync -a --fast a b
rsync: --fast: unknown option
rsync error: syntax or usage error (code 1) at main.c(1795) [client=3.2.7]
$$ [2] tar -f x.tar
tar: You must specify one of the '-Acdtrux', '--delete' or '--test-label' options
$$ [1] find . -printf %p
find: -printf: unknown primary or operator
$$ find . -exec rm {}
find: missing argument to `-exec'
$$ [1] cat -A notes.txt
cat: illegal option -- A
usage: cat [-belnstuv] [file ...]
$$ [1] head --lines=5 x
head: unrecognized option `--lines=5'
$$ [1] head -n -5 x
head: illegal line count -- -5
$$ [1] date -d yesterday
date: illegal option -- d
$$ [2] grep -P x y
grep: invalid option -- P
$$ [1] stat -c %s x
stat: illegal option -- c
$$ mkdir
mkdir: missing operand
Try 'mkdir --help' for more information.
$$ kubectl get pods --al
error: unknown flag: --al
See 'kubectl get --help' for usage.
$$ kubectl logs web-1
error: a container name must be specified for pod web-1, choose one of: [app proxy]
$$ [252] aws s3 ls --fast
Unknown options: --fast
$$ [2] gcloud compute instances list --fast
ERROR: (gcloud.compute.instances.list) unrecognized arguments: --fast
$$ [125] docker run -it alpine
the input device is not a TTY
$$ docker build
ERROR: docker: 'docker buildx build' requires 1 argument

Usage:  docker buildx build [OPTIONS] PATH | URL | -
$$ npx prisma migrate dev
Error: Prisma Migrate has detected that the environment is non-interactive, which is not supported.
$$ Get-ChildItem -Recursive
Get-ChildItem: A parameter cannot be found that matches parameter name 'Recursive'.
$$ npx jest --testPathPattern cart
● Validation Error:

  Option "testPathPattern" was replaced by "testPathPatterns".

  CLI Options Documentation:
  https://example.com/docs/cli
$$ npx jest --watchall
● Unrecognized CLI Parameter:

  Unrecognized option "watchall". Did you mean "watchAll"?
$$ gcloud run deploy web --source .
ERROR: (gcloud.run.deploy) The required property [project] is not currently set.
It can be set on a per-command basis by re-running your command with the [--project] flag.
$$ [2] gcloud run deploy web --regin x
ERROR: (gcloud.run.deploy) unrecognized arguments: --regin (did you mean '--region'?)
$$ gcloud compute ssh web
ERROR: (gcloud.compute.ssh) argument INSTANCE_NAME: Must be specified.
$$ mix test --env prod
** (Mix) Could not invoke task "test": 1 error found!
--env : Unknown option
$$ mix format --chek
** (Mix) Could not invoke task "format": 2 errors found!
--chek : Unknown option
--dot-formatter : Missing argument of type string
"""
