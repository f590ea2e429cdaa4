"""Wrong calls of other programs, collected after the rules were written: whether the rules generalise."""

MORE = r"""
$$ [129] git tag --sort
error: option `sort' requires a value
$$ [128] git -C nope status
fatal: cannot change to 'nope': No such file or directory
$$ [129] git push -x
error: unknown switch `x'
usage: git push [<options>] [<repository> [<refspec>...]]
$$ gh issue create -t x --body
flag needs an argument: --body
$$ gh pr list --state opn
invalid argument "opn" for "-s, --state" flag: valid values are {open|closed|merged|all}
$$ gh run view
run or job ID required when not running interactively
$$ gh secret set X
unable to read from terminal: no tty
$$ docker run --nam x alpine
unknown flag: --nam

Usage:  docker run [OPTIONS] IMAGE [COMMAND] [ARG...]
$$ docker-compose up
docker-compose: command not found
$$ [127] zsh -c foo
zsh:1: command not found: foo
$$ docker exec web bash
OCI runtime exec failed: unable to start container process: exec: "bash": executable file not found in $PATH: unknown
$$ kubectl apply x.yaml
error: must specify one of -f and -k
$$ kubectl exec web ls
error: exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead
$$ helm install x
Error: INSTALLATION FAILED: must either provide a name or specify --generate-name
$$ helm upgrade x
Error: "helm upgrade" requires 2 arguments
$$ terraform aply
Terraform has no command named "aply". Did you mean "apply"?
$$ [252] aws s3 lst
usage: aws [options] <command> <subcommand> [<subcommand> ...] [parameters]
aws: error: argument subcommand: Invalid choice, valid choices are:
$$ [253] aws ec2 describe-instances
You must specify a region. You can also configure your region by running "aws configure".
$$ gcloud run deploy
ERROR: (gcloud.run.deploy) argument --image: Must be specified.
$$ uv pip install x
error: No virtual environment found; run `uv venv` to create an environment
$$ uv run --with
error: a value is required for '--with <WITH>' but none was supplied
$$ uv add x
error: No `pyproject.toml` found in current directory or any parent directory
$$ poetry shell
Looks like the 'shell' command is not available since Poetry 2.0
The command "shell" does not exist.
$$ poetry run nope
Command not found: nope
$$ pipenv run nope
Error: the command nope could not be found within PATH or Pipfile's [scripts].
$$ python manage.py
/usr/bin/python: can't open file '/srv/manage.py': [Errno 2] No such file or directory
$$ pytest -n 4
ERROR: usage: pytest [options] [file_or_dir] [file_or_dir] [...]
pytest: error: unrecognized arguments: -n
$$ pytest --asyncio-mod=auto
pytest: error: unrecognized arguments: --asyncio-mod=auto
$$ mypy
usage: mypy [-h] [-v] [-V] [more options; see below]
mypy: error: Missing target module, package, files, or command.
$$ flask run
Error: Could not locate a Flask application. Use the 'flask --app' option, 'FLASK_APP' environment variable
$$ npm tst
Unknown command: "tst"

Did you mean this?
  npm test # Test a package
$$ npm exec nope
npm error could not determine executable to run
$$ pnpm -F web
 ERR_PNPM_NO_SCRIPT  Missing script: dev
$$ bunx nope
error: could not determine executable to run for package nope
$$ bun run dev.ts
error: Module not found "dev.ts"
$$ [9] node --nope a.js
node: bad option: --nope
$$ npx eslint .
Oops! Something went wrong! :(

ESLint: 9.14.0

ESLint couldn't find an eslint.config.(js|mjs|cjs) file.
$$ npx playwright test
Error: browserType.launch: Executable doesn't exist at /root/.cache/ms-playwright/chromium-1140/chrome-linux/chrome
╔═══════════════════════════════════════════════╗
║ Looks like Playwright was just installed or updated. ║
║ Please run the following command to download new browsers: ║
║     npx playwright install                    ║
$$ npx next lint --nope
error: unknown option '--nope'
$$ npx prisma migrate
 ! Unknown command "migrat"
$$ npx ts-node x.ts
npm error could not determine executable to run
$$ npx drizzle-kit push
Error: Interactive prompts require a TTY terminal (process.stdin.isTTY or process.stdout.isTTY is false).
$$ rustc --nope
error: Unrecognized option: 'nope'
$$ [101] cargo test -p shp
error: package ID specification `shp` did not match any packages
$$ [101] cargo test a b
error: unexpected argument 'b' found

Usage: cargo test [OPTIONS] [TESTNAME] [-- [ARGS]...]
$$ [1] cargo +nightly build
error: toolchain 'nightly-x86_64-unknown-linux-gnu' is not installed
$$ go test ./nope
# ./nope
stat /srv/shop/nope: directory not found
FAIL	./nope [setup failed]
$$ go get example.com/x
go: go.mod file not found in current directory or any parent directory.
	'go get' is no longer supported outside a module.
$$ go mod tdy
go mod tdy: unknown command
Run 'go help mod' for usage.
$$ kotlinc -nope
error: invalid argument: -nope
$$ [64] xcodebuild build
xcodebuild: error: The directory /srv does not contain an Xcode project, workspace or package.
$$ cmake --build nope
Error: /srv/nope is not a directory
$$ dotnet run
Couldn't find a project to run. Ensure a project exists in /srv, or pass the path to the project using --project.
$$ dotnet ef database update
No project was found. Change the current working directory or use the --project option.
$$ bin/rails nope
Unrecognized command "nope" (Rails::Command::UnrecognizedCommandError)
$$ rails g modl
Could not find generator 'modl'. (Rails::Command::CorrectableNameError)
Did you mean?  model
$$ php artisan nope
   ERROR  Command "nope" is not defined.
$$ composer require
Not enough arguments (missing: "packages").
$$ psql -Z
psql: invalid option -- 'Z'
Try "psql --help" for more information.
$$ psql -c "select x"
ERROR:  relation "ordrs" does not exist
LINE 1: select * from ordrs
$$ sqlite3 shop.db .tabels
Error: unknown command or invalid arguments:  "tabels". Enter ".help" for help
$$ mongosh --nope
Error parsing command line: unrecognized option: --nope
$$ wget
wget: missing URL
Usage: wget [OPTION]... [URL]...
$$ curl -X
curl: option -X: requires parameter
curl: try 'curl --help' for more information
$$ curl
curl: (2) no URL specified
$$ scp a
usage: scp [-346ABCOpqRrsTv] [-c cipher] [-D sftp_server_path] [-F ssh_config]
$$ rsync -a a b:
rsync: unrecognized option `--info=progress2'
$$ yq .a
Error: unknown flag: --nope
$$ sed -r x
sed: illegal option -- r
$$ sed -i -e x
sed: 1: "x": extra characters at the end of x command
$$ sed s/a/b/z f
sed: -e expression #1, char 7: unknown option to `s'
$$ sed -n
sed: 1: "s/a\/b": bad flag in substitute command: 'b'
$$ awk -F
awk: no program given
$$ xargs -d '\n' rm
xargs: illegal option -- d
usage: xargs [-0opt] [-E eofstr]
$$ ls -Z --nope
ls: unrecognized option '--nope'
Try 'ls --help' for more information.
$$ timeout 5 x
timeout: command not found
$$ [127] timeout 10 make
bash: timeout: command not found
$$ mktemp -d x
mktemp: too few X's in template 'x'
$$ cp -t a b
cp: illegal option -- t
$$ readlink -f x
readlink: illegal option -- f
$$ sort -Y
sort: invalid option -- Y
$$ cut -f1-
cut: you must specify a list of bytes, characters, or fields
$$ tr a
tr: missing operand after 'a'
$$ kill -9
kill: usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec
$$ export a-b=1
bash: export: `a-b=1': not a valid identifier
$$ echo $((1/0))
bash: line 1: 1/0: division by 0 (error token is "0")
$$ for i in; do
zsh:1: parse error near `do'
$$ echo =foo
zsh:1: foo not found
$$ echo a=(1 2)
bash: -c: line 1: syntax error near unexpected token `('
$$ declare -A m
bash: line 1: declare: -A: invalid option
declare: usage: declare [-afFirtx] [-p] [name[=value] ...]
$$ mapfile -t x
zsh:1: command not found: mapfile
$$ read -p x
zsh:1: read: -p: no coprocess
$$ status=1
zsh:1: read-only variable: status
$$ source .venv/bin/activate
sh: 1: source: not found
$$ source nope
bash: line 1: nope: No such file or directory
$$ . ./nope.sh
zsh:.:1: no such file or directory: ./nope.sh
$$ ./run
zsh:1: no such file or directory: ./run
$$ ./run2
bash: ./run2: cannot execute binary file: Exec format error
$$ rm -rf (a)
fish: Unknown command. A component of '' is not a directory
$$ Get-Foo
Get-Foo: The term 'Get-Foo' is not recognized as a name of a cmdlet, function, script file, or executable program.
$$ Remove-Item -rf x
Remove-Item: A parameter cannot be found that matches parameter name 'rf'.
$$ dir /q:
Invalid switch - "nope".
$$ cd nope
The system cannot find the path specified.
$$ brew instal x
Error: Unknown command: brew instal
$$ brew install nope
Warning: No available formula with the name "nope". Did you mean node?
$$ apt-get instal
E: Invalid operation instal
$$ apt-get install jq
E: Could not open lock file /var/lib/dpkg/lock-frontend - open (13: Permission denied)
E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), are you root?
$$ openssl nope
Invalid command 'nope'; type "help" for a list.
$$ ffmpeg -nope
Unrecognized option 'nope'.
Error splitting the argument list: Option not found
$$ convert
convert: unrecognized option `-nope' @ error/convert.c/ConvertImageCommand/2686.
$$ python -c 'print(1'
  File "<string>", line 1
    print(1
         ^
SyntaxError: '(' was never closed
$$ python3 - <<'EOF'
  File "<stdin>", line 3
    x
IndentationError: unexpected indent
$$ ruby -e 'puts('
-e:1: syntax error, unexpected end-of-input
$$ perl -e 'print('
syntax error at -e line 1, near "print("
Execution of -e aborted due to compilation errors.
$$ mcp__x__y {}
MCP error -32603: Invalid params: missing field `path`
$$ mcp__x__z {}
Missing required parameter: owner
$$ mcp__x__w {}
{"error": "Invalid project_id: must be a UUID"}
$$ mcp__x__v {}
InputValidationError: mcp__x__v failed due to the following issue: The required parameter `path` is missing
$$ mcp__x__u {}
Error: Either `a` or `b` must be provided
$$ mcp__x__t {}
Error executing tool t: 'start_line' must be less than or equal to 'end_line'
"""
