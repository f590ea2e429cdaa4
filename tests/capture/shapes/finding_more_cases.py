"""Reports on code, collected after the rules were written."""

MORE = r"""
$$ npm audit
# npm audit report

lodash  <4.17.21
Severity: high
1 high severity vulnerability
$$ pytest
ImportError while loading conftest '/srv/shop/tests/conftest.py'.
tests/conftest.py:3: in <module>
    from shop import nope
E   ImportError: cannot import name 'nope' from 'shop'
$$ npm run lint
> shop@1.0.0 lint
> eslint .

/srv/shop/a.js
  1:1  warning  Unexpected console statement  no-console
  2:1  error    Unknown option is bad         x/y

✖ 2 problems (1 error, 1 warning)
$$ npm run build
> next build
Error occurred prerendering page "/cart". Read more: https://nextjs.org/docs/messages/prerender-error
TypeError: Cannot read properties of undefined (reading 'map')
    at a (/srv/shop/.next/server/app/cart/page.js:1:2)
$$ npm run build
error during build:
Error: [vite]: Rollup failed to resolve import "x" from "/srv/a.ts".
$$ npm run build
[webpack-cli] Module not found: Error: Can't resolve './nope' in '/srv/shop/src'
ERROR in ./src/index.js 3:0-22
$$ npm run build
✘ [ERROR] Could not resolve "./nope"

    src/index.ts:1:18:
$$ npx jest
Test suite failed to run

    Cannot find module './nope' from 'src/a.test.ts'
Test Suites: 1 failed, 1 total
$$ npx cypress run
  1 passing
  1 failing
$$ cargo test
thread 'cart::adds' panicked at src/cart.rs:4:5:
assertion `left == right` failed
$$ cargo run
thread 'main' panicked at src/main.rs:3:10:
called `Option::unwrap()` on a `None` value
$$ go run .
panic: runtime error: index out of range [3] with length 2

goroutine 1 [running]:
main.main()
	/srv/shop/main.go:8 +0x1d
exit status 2
$$ go build
main.go:4:2: no required module provides package example.com/x; to add it:
	go get example.com/x
$$ java -jar shop.jar
Exception in thread "main" java.lang.NullPointerException: Cannot invoke "String.length()"
	at Shop.main(Shop.java:4)
$$ ./gradlew build
e: file:///srv/shop/src/main/kotlin/Shop.kt:4:9 Unresolved reference 'total'.
FAILURE: Build failed with an exception.
* What went wrong:
Execution failed for task ':compileKotlin'.
BUILD FAILED in 3s
$$ swift test
/srv/shop/Tests/CartTests.swift:8: error: -[CartTests testTotal] : XCTAssertEqual failed: ("3") is not equal to ("4")
$$ make test
Segmentation fault (core dumped)
make: *** [Makefile:3: test] Error 139
$$ bundle exec rails db:migrate
rails aborted!
StandardError: An error has occurred, this and all later migrations canceled:
PG::UndefinedColumn: ERROR:  column "nam" does not exist
/srv/shop/db/migrate/2024_add.rb:4:in `change'
$$ python manage.py migrate
Traceback (most recent call last):
  File "/srv/shop/manage.py", line 22, in <module>
django.db.utils.ProgrammingError: relation "shop_order" does not exist
$$ mix test
  1) test adds (CartTest)
     test/cart_test.exs:5
     Assertion with == failed
12 tests, 1 failure
$$ elixir -e x
** (CompileError) lib/cart.ex:4: undefined function total/0
$$ ghc Main.hs
Main.hs:4:5: error: Variable not in scope: total
$$ zig build
src/main.zig:4:5: error: use of undeclared identifier 'total'
$$ scala-cli .
[error] ./Main.scala:4:5
[error] Not found: total
$$ flutter analyze
  error • Undefined name 'total' • lib/main.dart:4:5 • undefined_identifier
1 issue found. (ran in 2.1s)
$$ flutter test
00:01 +0 -1: adds [E]
  Expected: <4>
    Actual: <3>
00:01 +0 -1: Some tests failed.
$$ yamllint .
./a.yml
  3:1       error    wrong indentation: expected 2 but found 0  (indentation)
$$ npx tsc -b
error TS18003: No inputs were found in config file '/srv/tsconfig.json'.
$$ npx commitlint
⧗   input: foo
✖   subject may not be empty [subject-empty]
✖   found 1 problems, 0 warnings
$$ git commit -m x
lint-staged could not find any staged files matching configured tasks.
✖ eslint --fix:
src/a.ts
husky - pre-commit script failed (code 1)
$$ pre-commit run -a
ruff.....................................................................Failed
- hook id: ruff
$$ ./scripts/check.sh
2 of 14 checks failed
$$ semgrep
Ran 4 rules on 3 files: 1 finding.
$$ docker build .
 > [4/5] RUN pip install -r requirements.txt:
1.2 ERROR: Could not find a version that satisfies the requirement nope==9
ERROR: failed to solve: process "/bin/sh -c pip install -r requirements.txt" did not complete successfully: exit code: 1
$$ ./gradlew test
> Task :app:test FAILED

CartTest > totalOfTwo() FAILED
    org.opentest4j.AssertionFailedError at CartTest.kt:14

FAILURE: Build failed with an exception.
$$ ./gradlew test
> Task :app:test FAILED

FAILURE: Build failed with an exception.
$$ ./gradlew check
OrderServiceTest > rejects empty orders FAILED
    java.lang.IllegalStateException at OrderServiceTest.java:31
$$ ./gradlew check
OrderServiceTest > rejects empty orders FAILED
$$ ./gradlew lint
> Task :app:lintDebug FAILED
$$ ./gradlew build
> Task :app:compileKotlin FAILED

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':app:compileKotlin'.
> Compilation error. See log for more details

BUILD FAILED in 3s
$$ swift test
Test Case '-[ShopTests.CartTests testTotal]' failed (0.002 seconds).
$$ npx jest
● cart › refuses an unknown option

    Unknown option: --colour

      12 |   run(["--colour"]);
$$ mix test
  1) test refuses unknown options (Shop.CLITest)
     test/shop/cli_test.exs:9
     Assertion with == failed
     left:  "--env : Unknown option"

1 test, 1 failure
"""
