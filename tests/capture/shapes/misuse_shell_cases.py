"""Errors of a missing program, and of a shell or small language that cannot parse its input."""

MISSING = r"""
$$ [127] pnpm install
bash: line 1: pnpm: command not found
$$ [127] gsed -i s/a/b/ x
zsh: command not found: gsed
$$ [127] python -V
/bin/sh: 1: python: not found
$$ [127] npm run test
> shop@1.0.0 test
> jest

sh: 1: jest: not found
$$ [127] tree
fish: Unknown command: tree
$$ make
'make' is not recognized as an internal or external command,
operable program or batch file.
$$ rg needle
rg : The term 'rg' is not recognized as the name of a cmdlet, function, script file, or operable program.
At line:1 char:1
$$ [127] python main.py
Command 'python' not found, did you mean:
  command 'python3' from deb python3
$$ python3 -m pytest
/usr/bin/python3: No module named pytest
$$ go build -buildmode=c-shared ./...
cgo: C compiler "gcc" not found: exec: "gcc": executable file not found in $PATH
$$ npx tsk
npm error could not determine executable to run
$$ [2] uv run ruff check
error: Failed to spawn: `ruff`
  Caused by: No such file or directory (os error 2)
$$ [127] ./tool.mjs
env: node: No such file or directory
$$ [127] ./manage.py check
/usr/bin/env: ‘python’: No such file or directory
$$ [127] timeout 30 pnpm test
timeout: failed to run command 'pnpm': No such file or directory
$$ sudo apt-get install jq
sudo: apt-get: command not found
$$ [127] bundle exec rubocp
bundler: command not found: rubocp
Install missing gem executables with `bundle install`
$$ [72] xcrun xctest
xcrun: error: unable to find utility "xctest", not a developer tool or in PATH
$$ dotnet ef migrations add First
Could not execute because the specified command or file was not found.
Possible reasons for this include:
  * You misspelled a built-in dotnet command.
$$ [2] make up
docker compose up -d
make: docker: No such file or directory
make: *** [Makefile:4: up] Error 127
$$ cargo clippy
error: 'cargo-clippy' is not installed for the toolchain 'stable-x86_64-unknown-linux-gnu'
"""

QUOTING = r"""
$$ [2] echo "it's
bash: -c: line 1: unexpected EOF while looking for matching `"'
$$ [2] node -e console.log(1)
bash: -c: line 1: syntax error near unexpected token `('
$$ rm *.{snap,log}
zsh: no matches found: *.snap
$$ pip install shop[dev]
zsh:1: no matches found: shop[dev]
$$ git log --format=%h | while read
zsh:1: parse error near `\n'
$$ ls src/(app)/page.tsx
zsh:1: unknown file attribute: p
$$ [127] git commit -m "Done!"
bash: !": event not found
$$ [2] echo 'x
sh: 1: Syntax error: Unterminated quoted string
$$ [2] echo ${x^^}
sh: 1: Bad substitution
$$ [127] [[ -f a ]] && ls
sh: 1: [[: not found
$$ [127] FOO=1; ls
fish: Unsupported use of '='. In fish, please use 'set FOO 1'.
$$ [1] sed -e 's/a/b' x
sed: -e expression #1, char 5: unterminated `s' command
$$ sed -i s/a/b/ src/app.ts
sed: 1: "src/app.ts": unterminated substitute pattern
$$ sed -i 's/x/y/' config.yml
sed: 1: "config.yml": command c expects \ followed by text
$$ [2] sed -i '' s/a/b/ notes.txt
sed: can't read s/a/b/: No such file or directory
$$ [2] awk '{print $1' x
awk: syntax error at source line 1
 context is
	{print >>> $1 <<<
awk: bailing out at source line 1
$$ [1] awk '{print $1' x
awk: cmd. line:1: {print $1
awk: cmd. line:1:          ^ unexpected newline or end of string
$$ [2] grep '[a' x
grep: Unmatched [, [^, [:, [., or [=
$$ [2] grep -E '*.ts' x
grep: repetition-operator operand invalid
$$ [2] rg 'foo(' src
rg: regex parse error:
    (?:foo()
    ^
error: unclosed group
$$ [3] jq '.[] | select(.a \!= 1)' x.json
jq: error: syntax error, unexpected INVALID_CHARACTER (Unix shell quoting issues?) at <top-level>, line 1:
.[] | select(.a \!= 1)
jq: 1 compile error
$$ [3] jq .a-b x.json
jq: error: b/0 is not defined at <top-level>, line 1, column 4:
    .a-b
jq: 1 compile error
$$ python3 -c "import json; for x in y: print(x)"
  File "<string>", line 1
    import json; for x in y: print(x)
                 ^^^
SyntaxError: invalid syntax
$$ node -e 'console.log("hi)'
[eval]:1
console.log("hi)
            ^^^^

SyntaxError: Invalid or unexpected token
    at makeContextifyScript (node:internal/vm:185:14)

Node.js v22.11.0
$$ python - <<EOF
  File "<stdin>", line 2
    print(f"{x["a"]}")
                ^
SyntaxError: f-string: unmatched '['
$$ npm ci && npm test
At line:1 char:8
The token '&&' is not a valid statement separator in this version.
    + CategoryInfo          : ParserError: (:) [], ParentContainsErrorRecordException
$$ [3] curl http://localhost/[1-x]
curl: (3) bad range in URL position 19:
$$ psql -c "select * form orders"
ERROR:  syntax error at or near "form"
LINE 1: select * form orders
$$ mysql -e "select * form orders"
ERROR 1064 (42000) at line 1: You have an error in your SQL syntax; check the manual that corresponds to your server
$$ find . -name *.ts
find: paths must precede expression: `b.ts'
find: possible unquoted pattern after predicate `-name'?
$$ xargs rm
xargs: unterminated quote
$$ [2] [ $a -gt 3 ] && ls
bash: line 1: [: abc: integer expression expected
$$ [125] docker run -v $PWD:/x My Image
docker: invalid reference format: repository name (library/My) must be lowercase
"""
