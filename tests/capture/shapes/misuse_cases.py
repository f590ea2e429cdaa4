"""What programs print about a wrong sub-command, folder, order or argument; and the tools of servers."""

COMMAND = r"""
$$ git comit -m x
git: 'comit' is not a git command. See 'git --help'.

The most similar command is
	commit
$$ docker compos up
docker: unknown command: docker compos

Run 'docker --help' for more information
$$ [101] cargo nextest run
error: no such command: `nextest`

help: view all installed commands with `cargo --list`
$$ npm run biuld
npm error Missing script: "biuld"
npm error
npm error To see a list of scripts, run:
npm error   npm run
$$ pnpm vitst
 ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL  Command "vitst" not found
$$ yarn lnt
yarn run v1.22.22
error Command "lnt" not found.
$$ yarn lnt --fix
Usage Error: Couldn't find a script named "lnt".
$$ bun run lnt
error: Script not found "lnt"
$$ [2] make tset
make: *** No rule to make target 'tset'.  Stop.
$$ just tset
error: Justfile does not contain recipe `tset`
$$ ./gradlew tset
FAILURE: Build failed with an exception.

* What went wrong:
Task 'tset' not found in root project 'shop'.

BUILD FAILED in 1s
$$ mvn tset
[INFO] BUILD FAILURE
[ERROR] Unknown lifecycle phase "tset". You must specify a valid lifecycle phase or a goal
$$ [2] go biuld ./...
go biuld: unknown command
Run 'go help' for usage.
$$ bin/rake tset
rake aborted!
Don't know how to build task 'tset' (See the list of available tasks with `rake --tasks`)
$$ composer instal
  Command "instal" is not defined.
$$ php artisan mak:model
  There are no commands defined in the "mak" namespace.
$$ python manage.py migrat
Unknown command: 'migrat'. Did you mean migrate?
Type 'manage.py help' for usage.
$$ kubectl gt pods
error: unknown command "gt" for "kubectl"
$$ pip instal x
ERROR: unknown command "instal" - maybe you meant "install"
$$ [126] ./deploy.sh
bash: ./deploy.sh: Permission denied
$$ dotnet bild
Unrecognized command or argument 'bild'.
$$ redis-cli GETT a
(error) ERR unknown command 'GETT', with args beginning with: 'a'
$$ ninja tset
ninja: error: unknown target 'tset'
"""

PATH = r"""
$$ cd apps/web && ls
bash: line 1: cd: apps/web: No such file or directory
$$ cd apps/web
(eval):cd:1: no such file or directory: apps/web
$$ [128] git add src/nope.py
fatal: pathspec 'src/nope.py' did not match any files
$$ git checkout nope
error: pathspec 'nope' did not match any file(s) known to git
$$ [128] git status
fatal: not a git repository (or any of the parent directories): .git
$$ git add dist/a.js
The following paths are ignored by one of your .gitignore files:
dist
hint: Use -f if you really want to add them.
$$ [4] pytest tests/nope.py
ERROR: file or directory not found: tests/nope.py

no tests ran in 0.00s
$$ [4] pytest tests/test_a.py::test_nope
ERROR: not found: /srv/shop/tests/test_a.py::test_nope
(no match in any of [<Module test_a.py>])
$$ [101] cargo test
error: could not find `Cargo.toml` in `/srv` or any parent directory
$$ go test ./...
go: go.mod file not found in current directory or any parent directory; see 'go help modules'
$$ go build
no Go files in /srv/shop
$$ go run cmd/shop
package cmd/shop is not in std (/usr/local/go/src/cmd/shop)
$$ [254] npm install
npm error code ENOENT
npm error Could not read package.json: Error: ENOENT: no such file or directory, open '/srv/package.json'
$$ pnpm i
 ERR_PNPM_NO_PKG_MANIFEST  No package.json found in /srv
$$ npx prettier --check src/nope
[error] No files matching the pattern were found: "src/nope".
$$ [2] npx eslint src/nope
No files matching the pattern "src/nope" were found.
Please check for typing mistakes in the pattern.
$$ [2] make
make: *** No targets specified and no makefile found.  Stop.
$$ cmake .
CMake Error: The source directory "/srv/build" does not appear to contain CMakeLists.txt.
$$ mvn test
[INFO] BUILD FAILURE
[ERROR] The goal you specified requires a project to execute but there is no POM in this directory (/srv).
$$ ./gradlew build
FAILURE: Build failed with an exception.
* What went wrong:
Directory '/srv/other' does not contain a Gradle build.
$$ dotnet build
MSBUILD : error MSB1003: Specify a project or solution file. The current working directory does not contain a project
$$ swift build
error: Could not find Package.swift in this directory or any of its parent directories.
$$ [10] bundle install
Could not locate Gemfile or .bundle/ directory
$$ rake test
rake aborted!
No Rakefile found (looking for: rakefile, Rakefile, rakefile.rb, Rakefile.rb)
$$ php artsan migrate
Could not open input file: artsan
$$ composer install
Composer could not find a composer.json file in /srv
$$ docker compose up
no configuration file provided: not found
$$ java Shop
Error: Could not find or load main class Shop
Caused by: java.lang.ClassNotFoundException: Shop
$$ npx prisma generate
Error: Could not find Prisma Schema that is required for this command.
"""

ORDER = r"""
$$ git stash pop
error: Your local changes to the following files would be overwritten by merge:
	src/a.py
Please commit your changes or stash them before you merge.
$$ [128] git push
fatal: The current branch topic has no upstream branch.
To push the current branch and set the remote as upstream, use
$$ terraform plan
Error: Backend initialization required, please run "terraform init"
$$ pip install requests
error: externally-managed-environment

× This environment is externally managed
$$ alembic revision --autogenerate
FAILED: Target database is not up to date.
$$ pnpm install --frozen-lockfile
 ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile" because pnpm-lock.yaml is not up to date
$$ node seed.js
Error: @prisma/client did not initialize yet. Please run "prisma generate" and try to import it again.
    at new PrismaClient (/srv/shop/node_modules/.prisma/client/default.js:43:11)
$$ conda activate shop
CondaError: Run 'conda init' before 'conda activate'
$$ [7] bundle exec rake
Could not find rake-13.2.1 in locally installed gems
Run `bundle install` to install missing gems.
$$ git submodule status
fatal: not initialized: run `git submodule init` first
"""

ARGUMENTS = r"""
$$ gh pr view 4 --repo shop/nope
GraphQL: Could not resolve to a Repository with the name 'shop/nope'. (repository)
$$ gh api repos/a/b/labels -f name=x
gh: Validation Failed (HTTP 422)
$$ gh api graphql -f query={viewer{nam}}
gh: Field 'nam' doesn't exist on type 'User'
$$ psql -c "select nam from users"
ERROR:  column "nam" does not exist
LINE 1: select nam from users
$$ sqlite3 shop.db "select * from ordrs"
Error: in prepare, no such table: ordrs
$$ mysql -e "select nam from users"
ERROR 1054 (42S22) at line 1: Unknown column 'nam' in 'field list'
$$ docker compose logs wb
no such service: wb
$$ kubectl get pds
error: the server doesn't have a resource type "pds"
$$ [101] cargo run --bin srv
error: no bin target named `srv`.
Available bin targets:
    shop
$$ [101] cargo build --features jsn
error: the package 'shop' does not contain this feature: jsn
$$ [254] aws ec2 describe-instances --instance-ids x
An error occurred (InvalidInstanceID.Malformed) when calling the DescribeInstances operation: Invalid id: "x"
$$ [70] xcodebuild -scheme Shp
xcodebuild: error: The project named "Shop" does not contain a scheme named "Shp".
$$ [128] git rev-parse --verify nope
fatal: Needed a single revision
$$ npm run test -w wbe
npm error No workspaces found:
npm error   --workspace=wbe
"""

TOOLS = r"""
$$ mcp__tickets__search {}
MCP error -32602: Invalid arguments for tool search: [
  {
    "code": "invalid_type",
    "expected": "string",
    "received": "undefined",
    "path": [ "query" ],
    "message": "Required"
  }
]
$$ mcp__tickets__serch {}
MCP error -32602: Tool serch not found
$$ mcp__tickets__list {}
Unknown tool: list
$$ mcp__files__read {}
Input validation error: 'path' is a required property
$$ mcp__files__stat {}
1 validation error for call[stat]
path
  Field required [type=missing, input_value={}, input_type=dict]
$$ mcp__files__write {"path": "/tmp/x"}
Error: Access denied - path outside allowed directories: /tmp/x not in /srv/shop
$$ mcp__browser__click {"ref": "e4"}
Error: No open pages available. Please navigate to a page first.
$$ mcp__database__query {"sql": "select 1"}
You must call connect before query
$$ mcp__code__symbols {}
Project is not indexed. Use index_project first.
$$ mcp__browser__upload {"paths": []}
### Error
Error: The tool "upload" can only be used when there is a related file chooser open.
$$ mcp__calendar__create {"day": 3}
Error: 'day' must be a string
"""
