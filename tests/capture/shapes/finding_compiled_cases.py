"""What compilers, and the tests and linters of compiled languages, report about code."""

COMPILED = r"""
$$ [101] cargo build
error[E0308]: mismatched types
 --> src/main.rs:4:20
error: could not compile `shop` (bin "shop") due to 1 previous error
$$ [101] cargo test
test cart::adds ... FAILED

test result: FAILED. 11 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out
$$ [101] cargo clippy -- -D warnings
error: this `if` has identical blocks
 --> src/lib.rs:4:5
  = note: `-D clippy::if-same-then-else` implied by `-D warnings`
$$ cargo fmt --check
Diff in /srv/shop/src/main.rs:4:
-    let x=1;
+    let x = 1;
$$ go build ./...
# example.com/shop
./main.go:12:2: undefined: total
$$ go test ./...
--- FAIL: TestTotal (0.00s)
    cart_test.go:12: got 3, want 4
FAIL
FAIL	example.com/shop	0.003s
$$ go vet ./...
# example.com/shop
./main.go:9:2: fmt.Printf format %d has arg name of wrong type string
$$ golangci-lint run
cart.go:4:2: ineffectual assignment to total (ineffassign)
$$ javac Shop.java
Shop.java:8: error: ';' expected
1 error
$$ ./gradlew test
> Task :test FAILED

CartTest > adds FAILED
    org.opentest4j.AssertionFailedError at CartTest.java:14

12 tests completed, 1 failed
BUILD FAILED in 4s
$$ mvn test
[ERROR] Tests run: 12, Failures: 1, Errors: 0, Skipped: 0
[INFO] BUILD FAILURE
$$ mvn compile
[ERROR] COMPILATION ERROR :
[ERROR] /srv/shop/src/main/java/Shop.java:[8,20] ';' expected
$$ kotlinc shop.kt
shop.kt:4:9: error: unresolved reference: total
$$ swift build
/srv/shop/Sources/Shop/main.swift:4:7: error: cannot find 'total' in scope
$$ [65] xcodebuild test -scheme Shop
Test Case '-[ShopTests.CartTests testTotal]' failed (0.012 seconds).
** TEST FAILED **
$$ gcc main.c
main.c: In function 'main':
main.c:4:12: error: 'total' undeclared (first use in this function)
$$ gcc main.o -o shop
/usr/bin/ld: main.o: in function `main':
main.c:(.text+0x5): undefined reference to `total'
collect2: error: ld returned 1 exit status
$$ clang++ main.o
Undefined symbols for architecture arm64:
  "_total", referenced from:
      _main in main.o
ld: symbol(s) not found for architecture arm64
$$ cmake --build build
FAILED: CMakeFiles/shop.dir/main.cpp.o
ninja: build stopped: subcommand failed.
$$ cmake -B build
CMake Error at CMakeLists.txt:9 (find_package):
  Could not find a package configuration file provided by "fmt"
$$ [8] ctest
50% tests passed, 1 tests failed out of 2
$$ dotnet build
Program.cs(5,9): error CS0103: The name 'total' does not exist in the current context [/srv/shop/shop.csproj]
$$ dotnet test
Failed!  - Failed:     1, Passed:    11, Skipped:     0, Total:    12
$$ bundle exec rspec
Failures:

  1) Cart adds
     Failure/Error: expect(total).to eq(4)
12 examples, 1 failure
$$ bin/rails test
Failure:
CartTest#test_adds [test/cart_test.rb:8]:
Expected: 4
  Actual: 3
12 runs, 14 assertions, 1 failures, 0 errors, 0 skips
$$ bundle exec rubocop
app/cart.rb:3:5: C: Style/StringLiterals: Prefer single-quoted strings
1 file inspected, 1 offense detected, 1 offense autocorrectable
$$ [2] ruby cart.rb
cart.rb:4:in `total': undefined method `sum' for nil (NoMethodError)
$$ vendor/bin/phpunit
There was 1 failure:

1) CartTest::testTotal
Failed asserting that 3 matches expected 4.

FAILURES!
Tests: 12, Assertions: 14, Failures: 1.
$$ [255] php cart.php
PHP Parse error:  syntax error, unexpected token "}" in /srv/shop/cart.php on line 4
$$ vendor/bin/phpstan analyse
  4      Undefined variable: $total

 [ERROR] Found 1 error
$$ terraform validate
╷
│ Error: Reference to undeclared resource
│
│   on main.tf line 12, in resource "aws_s3_bucket" "logs":
$$ shellcheck deploy.sh
In deploy.sh line 3:
rm -rf $dir
       ^--^ SC2086 (info): Double quote to prevent globbing and word splitting.
$$ [2] hadolint Dockerfile
Dockerfile:3 DL3008 warning: Pin versions in apt get install
$$ actionlint
.github/workflows/ci.yml:9:15: unexpected key "step" for "job" section [syntax-check]
$$ docker build .
Dockerfile:7
--------------------
   7 | >>> RUN npm run build
--------------------
ERROR: failed to solve: process "/bin/sh -c npm run build" did not complete successfully: exit code: 2
"""
