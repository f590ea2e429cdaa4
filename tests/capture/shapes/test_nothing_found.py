"""Searching for something missing is an answer, not a mistake."""

from lessons.capture.shapes.judgement import judge
from lessons.episode import Step
from tests.capture.shapes.tables import failures
from tests.tables import table

FOUND_MORE = r"""
$$ git lgo --oneline | grep lux
git: 'lgo' is not a git command. See 'git --help'.
$$ npm run lint 2>&1 | grep lux
npm error Missing script: "lint"
$$ [2] grep '[a' notes.txt
grep: Unmatched [, [^, [:, [., or [=
$$ [2] rg --nosuch x
rg: unrecognized flag --nosuch
$$ [2] sed -i 's/a/b/' missing.txt
sed: can't read missing.txt: No such file or directory
$$ cp a.txt missing/b.txt
cp: cannot create regular file 'missing/b.txt': No such file or directory
$$ python scripts/run.py
python: can't open file '/srv/shop/scripts/run.py': [Errno 2] No such file or directory
$$ ls > missing/out.txt
bash: line 1: missing/out.txt: No such file or directory
$$ cat missing.txt | npm run load
npm error Missing script: "load"
$$ [5] jq .a.b orders.json
jq: error (at orders.json:1): Cannot index array with string "a"
$$ [127] tree -L 2
bash: line 1: tree: command not found
$$ find . -nosuch x
find: unknown predicate `-nosuch'
"""
NOTHING = r"""
$$ cd /srv/shop && echo "== main" && git log --oneline -1 main && git ls-tree main docs/ | grep -i lux
== main
cbee02b5 fix(lamp): push to the own room, not a borrowed one (#15)
$$ git ls-files .lux/ && cat .gitignore | grep lux
.lux/settings.json
$$ grep -rn needle src

$$ rg needle

$$ [2] rg needle src missing
rg: missing: No such file or directory (os error 2)
$$ [2] ls missing
ls: cannot access 'missing': No such file or directory
$$ ls -la missing
ls: missing: No such file or directory
$$ cat missing.txt
cat: missing.txt: No such file or directory
$$ which fd

$$ which fd rg
fd not found
$$ command -v fd

$$ test -f missing.txt

$$ [ -d missing ] && echo yes

$$ diff a.txt b.txt
3c3
< total = 3
---
> total = 4
$$ pgrep -f vite

$$ git branch -vv | grep gone

$$ cd src && grep -n needle cart.py

$$ stat missing.txt
stat: cannot statx 'missing.txt': No such file or directory
$$ head -5 missing.txt
head: cannot open 'missing.txt' for reading: No such file or directory
$$ sed -n 1,20p missing.txt
sed: can't read missing.txt: No such file or directory
$$ find missing -name '*.py'
find: ‘missing’: No such file or directory
$$ [2] grep needle missing.txt
grep: missing.txt: No such file or directory
$$ kill 4711
bash: line 1: kill: (4711) - No such process
$$ pkill -f vite

$$ [1] lsof -i :3000

$$ [1] for f in a b; do echo "== $f"; grep -n needle $f; done
== a
3: needle
== b
$$ [1] git grep needle

$$ [1] git diff --quiet

$$ cat a.txt missing.txt
total = 3
cat: missing.txt: No such file or directory
$$ [2] rg -n needle src missing
src/cart.py:3: needle
rg: missing: No such file or directory (os error 2)
"""


@table("step", failures(FOUND_MORE))
def test_is_more_than_nothing(step: Step) -> None:
    assert judge(step).shape != "nothing"


@table("step", failures(NOTHING))
def test_found_nothing(step: Step) -> None:
    assert judge(step).shape == "nothing"
