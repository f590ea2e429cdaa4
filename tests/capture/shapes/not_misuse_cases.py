"""Errors with the words of a wrong call that are about something else."""

NOT_MISUSE = r"""
$$ pytest tests/test_cli.py
E       AssertionError: assert "try 'shop --help'" in 'done'
FAILED tests/test_cli.py::test_hint - AssertionError
1 failed in 0.11s
$$ npm run build
src/cart.ts(3,1): error TS6385: 'total' is deprecated.
$$ go test ./...
--- FAIL: TestOld (0.00s)
    old_test.go:9: got "has been removed in favour of new", want ""
FAIL
$$ npm audit
# npm audit report

lodash  <4.17.21
Severity: high
1 high severity vulnerability
$$ make lint
warning: `unwrap` is deprecated in favor of `expect`
src/cart.py:3:1: E501 line too long
$$ npx tsc --noEmit
src/cart/total.ts(14,22): error TS2551: Property 'amout' does not exist on type 'Line'. Did you mean 'amount'?
$$ [101] cargo build
error[E0425]: cannot find value `totl` in this scope
 --> src/main.rs:4:20
help: a local variable with a similar name exists, did you mean `total`?
$$ make
src/parse.c:41:9: error: use of undeclared identifier 'lenght'; did you mean 'length'?
make: *** [Makefile:12: parse.o] Error 1
$$ make app
make: *** No rule to make target 'parse.h', needed by 'parse.o'.  Stop.
$$ python manage.py test shop
Traceback (most recent call last):
  File "/srv/shop/orders/tests.py", line 14, in setUp
django.db.utils.OperationalError: no such column: shop_order.state
FAILED (errors=1)
$$ pytest tests/test_options.py
>       assert "unknown option" in capsys.readouterr().err
E       AssertionError: assert 'unknown option' in 'usage: shop [-h]\n'
FAILED tests/test_options.py::test_unknown - AssertionError: assert 'unknown option'
$$ python3 shop.py
  File "/srv/shop/shop.py", line 3
    print("hello
          ^
SyntaxError: unterminated string literal (detected at line 3)
$$ node server.js
/srv/shop/server.js:4
  const total = ;
                ^

SyntaxError: Unexpected token ';'
    at wrapSafe (node:internal/modules/cjs/loader:1378:20)

Node.js v22.11.0
$$ npm test
> shop@1.0.0 test
> vitest run

 FAIL  src/args.test.ts > refuses unknown options
Error: Unknown option `--colour`
 ❯ src/args.ts:12:11
 Test Files  1 failed (1)
$$ terraform plan -no-color
Error: Unsupported argument

  on main.tf line 12, in resource "aws_s3_bucket" "logs":
  12:   versoning = true

An argument named "versoning" is not expected here. Did you mean "versioning"?
$$ terraform validate -no-color
Error: Missing required argument

  on main.tf line 1, in resource "aws_instance" "web":

The argument "ami" is required, but no definition was found.
$$ go vet ./...
# example.com/shop
./main.go:12:6: fmt.Printl undefined (type func has no field or method Printl), did you mean fmt.Print?
$$ bundle exec rspec
  1) Options refuses unknown flags
     Failure/Error: expect { parse(%w[--x]) }.to raise_error(OptionParser::InvalidOption)
       invalid option: --x
12 examples, 1 failure
$$ npm install
npm warn Unknown project config "shamefully-hoist". This will stop working in the next major version of npm.
npm error code ETARGET
npm error notarget No matching version found for left-pad@^9.0.0.
$$ npm publish
npm warn publish npm auto-corrected some errors in your package.json. Please run "npm pkg fix" to address these errors.
npm error code ENEEDAUTH
npm error need auth This command requires you to be logged in to https://packages.example.com/
$$ ./gradlew build
warning: unknown option --jvm-extra ignored
> Task :app:compileJava FAILED
/srv/shop/app/src/main/java/Shop.java:8: error: ';' expected
1 error
BUILD FAILED in 2s
$$ docker build .
ERROR: failed to solve: process "/bin/sh -c npm run build" did not complete successfully: exit code: 2
$$ python train.py
Traceback (most recent call last):
  File "/srv/model/train.py", line 30, in <module>
    main()
TypeError: fit() got an unexpected keyword argument 'epoch'. Did you mean 'epochs'?
$$ curl -fsS https://api.example.com/orders
curl: (22) The requested URL returned error: 404
$$ ruff check .
src/shop/cart.py:3:8: F401 [*] `os` imported but unused
Found 1 error.
$$ npx eslint .
/srv/shop/src/a.js
  3:7  error  'usage' is assigned a value but never used  no-unused-vars

✖ 1 problem (1 error, 0 warnings)
$$ ./deploy.sh
./deploy.sh: line 12: syntax error near unexpected token `fi'
./deploy.sh: line 12: `fi'
$$ npm run seed
error: relation "orders" does not exist
    at Parser.parseErrorMessage (/srv/shop/node_modules/pg-protocol/dist/parser.js:285:98)
    at seed (/srv/shop/scripts/seed.ts:14:3) {
  code: '42P01'
}

Node.js v22.11.0
$$ npm run worker
ValidationError: "state" is required
    at parse (/srv/shop/src/order.ts:9:11)
$$ docker build .
#9 0.312 /bin/sh: 1: pnpm: not found
#9 ERROR: process "/bin/sh -c pnpm i" did not complete successfully: exit code: 127
$$ docker build .
ERROR: failed to solve: dockerfile parse error on line 3: unknown instruction: RUNN
$$ docker compose config
yaml: line 3: mapping values are not allowed in this context
$$ kubectl apply -f a.yaml
error: error validating "a.yaml": error validating data: ValidationError: unknown field "replica"
$$ helm lint
[ERROR] templates/: template: shop/templates/a.yaml:4:10: executing "x" at <.Values.a.b>: nil pointer
Error: 1 chart(s) linted, 1 chart(s) failed
$$ ./bin/shop import orders.csv
Error: row 14: invalid value "abc" for column amount
$$ python scripts/load.py
usage error: row 3
Traceback (most recent call last):
  File "/srv/shop/scripts/load.py", line 3, in <module>
ValueError: unknown option 'x'
$$ npm test
> shop@1.0.0 test
> node --test
✖ refuses unknown option (1.2ms)
ℹ fail 1
  'error: unknown option --x'
$$ git push
remote: error: GH006: Protected branch update failed for refs/heads/main.
remote: error: Changes must be made through a pull request.
 ! [remote rejected] main -> main (protected branch hook declined)
$$ git push
husky - pre-push script failed (code 1)
error: failed to push some refs to 'x'
$$ cargo build
error: failed to parse manifest at `/srv/shop/Cargo.toml`

Caused by:
  unknown field `nam`, expected one of `name`
$$ npx prisma validate
Error: Prisma schema validation - (validate wasm)
Error code: P1012
error: Type "Ordr" is neither a built-in type, nor refers to another model, composite type, or enum.
  -->  schema.prisma:9
$$ npx prisma migrate deploy
Error: P3009

migrate found failed migrations in the target database, new migrations will not be applied.
$$ bin/rails s
A server is already running. Check /srv/shop/tmp/pids/server.pid.
$$ npm run dev
⨯ Failed to start server
Error: listen EADDRINUSE: address already in use :::3000
$$ ansible-playbook a.yml
fatal: [web]: FAILED! => {"changed": false, "msg": "Unsupported parameters for (copy) module: modee."}
$$ pulumi up
error: Preview failed: resource 'x' property 'nam' value {} has a problem: unknown property
$$ npm run e2e
Error: expect(locator).toBeVisible() failed
$$ gradle test
CartTest > refusesUnknownOption() FAILED
    java.lang.AssertionError: Unknown option: --x
3 tests completed, 1 failed
$$ bundle install
Bundler could not find compatible versions for gem "rails":
$$ pip install nope==9
ERROR: Could not find a version that satisfies the requirement nope==9 (from versions: none)
ERROR: No matching distribution found for nope==9
$$ ./deploy.sh
Deploying…
ssh: connect to host web port 22: No route to host
$$ curl -s localhost:3000/x | jq .a
jq: parse error: Invalid numeric literal at line 1, column 7
$$ curl -s localhost:3000/x | python3 -m json.tool
Expecting value: line 1 column 1 (char 0)
$$ gh pr checks
no checks reported on the 'topic' branch
$$ gh run watch 4
X Run CI (4) completed with 'failure'
$$ gh workflow run ci.yml
could not create workflow dispatch event: HTTP 422: Workflow does not have 'workflow_dispatch' trigger
$$ terraform destroy
Error: Instance cannot be destroyed

  on main.tf line 1:
$$ npm run dev
Error: Missing required environment variable: DATABASE_URL
    at env (/srv/shop/src/env.ts:4:9)
$$ docker compose up -d
 Container shop-db-1  Error
dependency failed to start: container shop-db-1 is unhealthy
$$ pytest -x
tests/test_cli.py F
=================================== FAILURES ===================================
    def test_cli():
        result = runner.invoke(app, ["--fast"])
>       assert result.exit_code == 0
E       assert 2 == 0
----------------------------- Captured stdout call -----------------------------
Usage: app [OPTIONS]
Error: No such option: --fast
=========================== short test summary info ============================
FAILED tests/test_cli.py::test_cli - assert 2 == 0
$$ cargo test
running 1 test
test cli::fast ... FAILED
---- cli::fast stdout ----
error: unexpected argument '--fast' found

Usage: shop [OPTIONS]
test result: FAILED. 0 passed; 1 failed
$$ go test ./cmd/...
--- FAIL: TestFast (0.00s)
    main_test.go:14: unknown flag: --fast
FAIL
$$ npm run typecheck
src/args.ts:4:9 - error TS2353: Object literal may only specify known properties.
Found 1 error.
$$ swiftlint
/srv/a.swift:4:1: warning: Line Length Violation: Line should be 120 characters or less (line_length)
Done linting! Found 1 violation, 0 serious in 1 file.
$$ npx lerna run build
lerna ERR! npm run build exited 1 in 'web'
lerna ERR! npm run build stderr:
src/a.ts(3,4): error TS2304: Cannot find name 'x'.
$$ npx turbo run build
web:build: ERROR: command finished with error: command (/srv/apps/web) npm run build exited (1)
 Tasks:    0 successful, 1 total
$$ npx nx test web
NX   Running target test for project web failed
$$ ./gradlew lint
Lint found 3 errors, 2 warnings
> Lint found errors in the project; aborting build.
$$ python -m mypy .
shop/a.py: error: Source file found twice under different module names: "a" and "shop.a"
Found 1 error in 1 file (errors prevented further checking)
$$ sphinx-build docs out
Warning, treated as error:
/srv/docs/index.rst:4:Unknown directive type "foo".
$$ mkdocs build --strict
Aborted with 1 warnings in strict mode!
$$ latexmk a.tex
! Undefined control sequence.
l.14 \foo
$$ solc a.sol
Error: Undeclared identifier.
 --> a.sol:4:5:
$$ npx hardhat test
  1) Token transfers:
     AssertionError: expected 3 to equal 4.
$$ python eval.py
RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB
$$ ollama run x
Error: could not connect to ollama app, is it running?
$$ npm ci
npm error code EINTEGRITY
npm error sha512-abc integrity checksum failed
$$ git pull
error: cannot lock ref 'refs/remotes/origin/x': is at 1a2b but expected 3c4d
$$ git submodule update
fatal: unable to access 'https://x/': The requested URL returned error: 503
$$ vercel deploy
Error: The specified token is not valid. Use `vercel login` to generate a new token.
$$ heroku logs
 ›   Error: Invalid credentials provided.
$$ node -e "fetch('http://localhost:1')"
TypeError: fetch failed
  [cause]: Error: connect ECONNREFUSED 127.0.0.1:1
$$ python3 -c "import json; json.load(open('x.json'))['a']"
Traceback (most recent call last):
  File "<string>", line 1, in <module>
KeyError: 'a'
$$ curl -s localhost:8000/docs | grep -q title

$$ ls *.md | wc -l && test -d nope

"""
