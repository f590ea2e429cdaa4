"""What tests, linters and type checkers of scripting languages report about code; and what only looks like it."""

NOT_FINDINGS = r"""
$$ gh pr diff 12 --stat
unknown flag: --stat
$$ [128] git push
fatal: The current branch topic has no upstream branch.
$$ npm install
npm error code E404
npm error 404 Not Found - GET https://packages.example.com/nope - Not found
$$ kubectl get pod web
Error from server (NotFound): pods "web" not found
$$ [127] pytest
bash: line 1: pytest: command not found
$$ python3 -m app
/usr/bin/python3: No module named app
$$ python3 tools/report.py
Traceback (most recent call last):
  File "/srv/shop/tools/report.py", line 1, in <module>
    import yaml
ModuleNotFoundError: No module named 'yaml'
$$ [5] jq .name orders.json
jq: error (at orders.json:40): Cannot index array with string "name"
$$ [2] grep -rn total src missing
src/cart.py:3:total = 0
grep: missing: No such file or directory
$$ docker compose logs web
Error response from daemon: No such container: web
$$ [4] pytest tests/nope.py
ERROR: file or directory not found: tests/nope.py
"""

PYTHON = r"""
$$ pytest
    def test_total():
>       assert total([1, 2]) == 4
E       assert 3 == 4
FAILED tests/test_cart.py::test_total - assert 3 == 4
1 failed, 12 passed in 0.31s
$$ [2] pytest -q
ERROR tests/test_cart.py - NameError: name 'Cart' is not defined
!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!
$$ python -m unittest
FAIL: test_total (tests.test_cart.CartTest.test_total)
AssertionError: 3 != 4
FAILED (failures=1)
$$ mypy src
src/shop/cart.py:14: error: Incompatible return value type (got "int", expected "str")  [return-value]
Found 1 error in 1 file (checked 9 source files)
$$ ruff check
F401 [*] `os` imported but unused
 --> src/shop/cart.py:1:8
Found 1 error.
$$ ruff format --check
Would reformat: src/shop/cart.py
1 file would be reformatted, 8 files already formatted
$$ black --check .
would reformat /srv/shop/src/cart.py
Oh no! 💥 💔 💥
$$ flake8
./src/cart.py:3:80: E501 line too long (92 > 79 characters)
$$ pylint src
src/cart.py:3:0: C0114: Missing module docstring (missing-module-docstring)
Your code has been rated at 8.00/10
$$ npx pyright
/srv/shop/src/cart.py
  /srv/shop/src/cart.py:4:12 - error: "totl" is not defined (reportUndefinedVariable)
1 error, 0 warnings, 0 informations
$$ python src/shop/main.py
Traceback (most recent call last):
  File "/srv/shop/src/shop/main.py", line 9, in <module>
    total = prices["sum"]
KeyError: 'sum'
$$ python manage.py check
SystemCheckError: System check identified some issues:

ERRORS:
shop.Order.state: (fields.E120) CharFields must define a 'max_length' attribute.

System check identified 1 issue (0 silenced).
$$ git commit -m "Add cart"
trim trailing whitespace.................................................Failed
- hook id: trailing-whitespace
- exit code: 1
- files were modified by this hook
$$ pytest --cov=shop --cov-fail-under=90
FAIL Required test coverage of 90% not reached. Total coverage: 84.21%
$$ isort --check .
ERROR: /srv/shop/src/cart.py Imports are incorrectly sorted and/or formatted.
$$ bandit -r src
>> Issue: [B105:hardcoded_password_string] Possible hardcoded password
   Location: src/shop/settings.py:4:10
"""

SCRIPT = r"""
$$ [2] npx tsc
src/cart.ts(14,3): error TS2322: Type 'string' is not assignable to type 'number'.
$$ [2] npx tsc --pretty
src/cart.ts:14:3 - error TS2322: Type 'string' is not assignable to type 'number'.

Found 1 error in src/cart.ts:14
$$ npx eslint src
/srv/shop/src/cart.ts
  3:7  error  'total' is assigned a value but never used  @typescript-eslint/no-unused-vars

✖ 1 problem (1 error, 0 warnings)
$$ npx prettier --check .
Checking formatting...
[warn] src/cart.ts
[warn] Code style issues found in the above file. Run Prettier with --write to fix.
$$ npx biome check
src/cart.ts:3:7 lint/correctness/noUnusedVariables  FIXABLE  ━━━━━━━━━━
  ✖ This variable is unused.
Found 1 error.
$$ npx jest
FAIL src/cart.test.ts
  ● total › adds

    expect(received).toBe(expected) // Object.is equality

    Expected: 4
    Received: 3
Tests:       1 failed, 11 passed, 12 total
$$ npx vitest run
 FAIL  src/cart.test.ts > total > adds
AssertionError: expected 3 to be 4 // Object.is equality
 Test Files  1 failed (1)
$$ npx mocha
  11 passing (12ms)
  1 failing

  1) total adds:
      AssertionError [ERR_ASSERTION]: 3 == 4
$$ npx playwright test
  1) [chromium] › cart.spec.ts:4:5 › adds

    Error: Timed out 5000ms waiting for expect(locator).toHaveText(expected)
  1 failed
    [chromium] › cart.spec.ts:4:5 › adds
$$ node --test
not ok 1 - adds
  failureType: 'testCodeFailure'
# fail 1
$$ bun test
src/cart.test.ts:
error: expect(received).toBe(expected)
 11 pass
 1 fail
$$ deno test
total ... FAILED (3ms)
FAILED | 11 passed | 1 failed (12ms)
$$ npx next build
Failed to compile.

./src/app/page.tsx:4:3
Type error: Property 'amount' does not exist on type 'Line'.
$$ npx vite build
error during build:
[vite]: Rollup failed to resolve import "./carts" from "/srv/shop/src/main.ts".
src/main.ts (2:19)
$$ node src/main.js
/srv/shop/src/main.js:4
console.log(order.total)
                  ^

TypeError: Cannot read properties of undefined (reading 'total')
    at Object.<anonymous> (/srv/shop/src/main.js:4:19)

Node.js v22.11.0
$$ npx svelte-check
/srv/shop/src/Cart.svelte:4:7
Error: Type 'string' is not assignable to type 'number'. (ts)
svelte-check found 1 error and 0 warnings in 1 file
$$ npx markdownlint-cli2 README.md
README.md:14 MD040/fenced-code-language Fenced code blocks should have a language specified
$$ npx stylelint src/a.css
src/a.css
  3:3  ✖  Unexpected unknown property "colr"  property-no-unknown

1 problem (1 error, 0 warnings)
$$ npm audit
3 vulnerabilities (1 moderate, 2 high)
"""
