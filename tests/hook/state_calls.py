"""Calls in the tree of tests/builders/project_tree.py: working ones, and those in the wrong folder."""

# Below each folder, from the project root on, the commands that exit 0 there.
_GOOD = r"""
:: .
pwd ¦ ls ¦ ls -la src ¦ ls web api docs ¦ ls src/*.py ¦ ls -d */ ¦ cat README.md ¦ cat -n src/main.py
cat src/main.py src/util/text.py ¦ cat "with space/file.txt" ¦ cat 'with space/file.txt' README.md
cat with\ space/file.txt ¦ cat web/README.md | head -1 ¦ cat ./web/src/app.ts ¦ cat $PWD/README.md
cat "$(git rev-parse --show-toplevel)/README.md" ¦ head -n 1 data/a.csv ¦ head -1 README.md web/README.md
tail -n +1 data/a.csv ¦ tail -2 docs/guide.md ¦ wc -l src/*.py ¦ wc -l < README.md ¦ nl Makefile
stat -c %s README.md ¦ file README.md || true ¦ grep -n main src/main.py ¦ grep -rn main src ¦ grep -rn main src api
grep -c "" README.md ¦ grep -rl total web ¦ grep -m 1 print src/main.py ¦ grep -A 1 print src/main.py
grep -e print -e main src/main.py ¦ git log --oneline | grep Begin ¦ ls | grep web ¦ ls web | grep -v src
find . -name '*.py' -not -path './.git/*' ¦ find src -type f ¦ find web api -name '*.md' ¦ sed -n 1,3p README.md
sed -n '1,3p' src/main.py ¦ sed 's/Shop/Store/' README.md ¦ awk -F, '{print $1}' data/a.csv ¦ sort data/a.csv
cut -d , -f 1 data/a.csv ¦ diff README.md README.md ¦ python3 scripts/tool.py ¦ python3 -u src/main.py
python3 -c 'print(1)' ¦ python3 - <<'EOF' ¦ bash scripts/run.sh ¦ sh -c 'cat README.md' ¦ ./scripts/run.sh
scripts/run.sh ¦ bash -c 'cd web && cat README.md' ¦ make ¦ make test ¦ make -s build ¦ make -f Makefile test
git status --short ¦ git add web/src/app.ts ¦ git add -A ¦ git diff --stat ¦ git log --oneline -5 -- src
git show HEAD:README.md ¦ git -C web status --short ¦ git ls-files web ¦ cd web ¦ cd web && ls
cd web && cat README.md ¦ cd web && cat src/app.ts && cd .. ¦ cd web/src && ls lib ¦ cd ./web && cat ../README.md
cd "with space" && cat file.txt ¦ cd web && cd web && cat inner.txt ¦ cd web && cd src && ls
cd src && cd src && cat deep.txt ¦ cd web; cat README.md; cd ../api; cat main.py ¦ cd web && make -C .. test
(cd web && cat src/app.ts) ¦ (cd api && python3 main.py) ¦ cd $(git rev-parse --show-toplevel) && ls web
cd "$PWD/web" && ls src ¦ cd /tmp && ls ¦ cd / && ls -d tmp ¦ cd ~ && pwd ¦ cd . ¦ cd .. && cd -
pushd web && ls src && popd ¦ pushd api > /dev/null; cat main.py; popd > /dev/null ¦ mkdir -p build && cd build && pwd
mkdir -p out/a && ls out ¦ touch new.txt && cat new.txt ¦ echo x > made.txt; cat made.txt
cp README.md copy.md && cat copy.md ¦ mv copy.md moved.md && cat moved.md ¦ rm -f moved.md nowhere.md
cat nowhere.md 2>/dev/null || echo none ¦ cat nowhere.md || true ¦ ls nowhere 2>/dev/null; true
[ -f nowhere.md ] && cat nowhere.md; true ¦ test -d web && cd web && ls ¦ if [ -d web ]; then cd web; fi; ls
for f in src/*.py; do wc -l "$f"; done ¦ for d in web api; do (cd $d && ls); done
while read -r line; do echo "$line"; done < data/a.csv ¦ DIR=web; ls $DIR ¦ DIR=web && cd $DIR && ls src
FILE=README.md; cat "$FILE" ¦ timeout 5 cat README.md ¦ time cat README.md ¦ env FOO=1 cat README.md ¦ FOO=1 ls web
nice cat README.md ¦ xargs cat < /dev/null ¦ echo README.md | xargs cat ¦ find docs -name '*.md' -exec cat {} +
tar cf /tmp/x.tar README.md ¦ chmod +x scripts/run.sh ¦ chmod 644 README.md docs/guide.md ¦ source scripts/run.sh
. ./scripts/run.sh ¦ which ls ¦ command -v cat ¦ echo "cat web/README.md" ¦ printf '%s\n' web/src
true && cat README.md ¦ pwd && ls web ¦ ls && cat README.md ¦ basename web/src/app.ts ¦ realpath web
test -e web/src/app.ts ¦ cat <<'EOF' ¦ cat > written.md <<'EOF'
:: web
pwd ¦ ls ¦ ls src ¦ ls src/lib ¦ ls .. ¦ ls ../api ¦ ls web ¦ cat README.md ¦ cat package.json ¦ cat src/app.ts
cat ./src/app.ts ¦ cat ../README.md ¦ cat ../src/main.py ¦ cat ../api/main.py ../docs/guide.md ¦ cat web/inner.txt
head -3 src/app.ts ¦ tail -5 ../README.md ¦ wc -l src/app.ts src/lib/x.ts ¦ grep -rn total src
grep -n total src/app.ts ¦ grep -rn main ../src ¦ grep -rn api src || true ¦ git log | grep -v web/src
git status --short | grep -c web || true ¦ ls -I api ¦ ls --ignore=api ¦ ls | grep api || true
sed -n 1,2p src/app.ts ¦ sed -n 1,2p ../README.md ¦ python3 ../scripts/tool.py ¦ python3 ../api/main.py
bash ../scripts/run.sh ¦ ../scripts/run.sh ¦ make -C .. test ¦ make -f ../Makefile test ¦ cd .. && make test ¦ cd src
cd src && cat app.ts ¦ cd src/lib && cat x.ts ¦ cd web ¦ cd web && cat inner.txt ¦ cd ../api && cat main.py
cd .. && cat README.md ¦ cd .. && cd api && ls src ¦ cd ..; ls web; cat web/README.md ¦ cd - || true
(cd .. && ls api) ¦ (cd src && ls) ¦ cd "$(git rev-parse --show-toplevel)" && ls api ¦ cd $(dirname src/app.ts) && ls
git add src/app.ts ¦ git add . ¦ git add ../api ¦ git diff --stat -- src ¦ git -C .. status --short
git -C ../api status --short ¦ mkdir -p dist && ls dist ¦ mkdir -p api && cd api && pwd && cd .. && rmdir api
rm -rf dist ¦ touch docs.txt && cat docs.txt && rm docs.txt ¦ cp src/app.ts data.ts && rm data.ts
cp ../README.md README-of-root.md && rm README-of-root.md ¦ cat ../data/a.csv | cut -d , -f 1 ¦ find . -name '*.ts'
find .. -maxdepth 1 -name '*.md' ¦ test -f api/main.py || echo none ¦ [ -d api ] && cd api || true
cat api/main.py 2>/dev/null || cat ../api/main.py ¦ ls docs 2>/dev/null || ls ../docs
for d in src web; do ls $d; done ¦ echo api/main.py ¦ echo docs src api ¦ D=..; cat $D/README.md
bash -c 'cat src/app.ts' ¦ env -C .. cat README.md ¦ env -C ../api cat main.py
python3 -c "open('src/app.ts').read()" ¦ cat src/*.ts ¦ cat {README.md,package.json}
:: web/src
ls ¦ ls lib ¦ cat app.ts ¦ cat lib/x.ts ¦ cat ../README.md ¦ cat ../../README.md ¦ cat ../../src/main.py
cd lib && cat x.ts ¦ cd ../.. && cat README.md ¦ cd ../../api && python3 main.py ¦ grep -rn total .
make -C ../.. test ¦ git add app.ts ¦ head -1 app.ts
:: api
ls ¦ ls src ¦ cat main.py ¦ cat src/handlers.py ¦ python3 main.py ¦ cat ../web/src/app.ts ¦ cd src && cat handlers.py
cd ../src && cat main.py ¦ python3 ../scripts/tool.py ¦ grep -n HANDLERS src/handlers.py
:: src
cat main.py ¦ cat util/text.py ¦ cat src/deep.txt ¦ cd src && cat deep.txt ¦ cd util && ls ¦ python3 main.py
ls ../tests
:: docs
cat guide.md ¦ ls ../web ¦ cd ../web && ls src
:: web/web
cat inner.txt ¦ ls .. ¦ cd ../src && ls
"""

# The same by lesson, with a part of what is told; those without a lesson are what memory recalls.
WRONG = {
    "": r"""
web :: cd web && cd web :: it exists in {root}/web
web/src :: cd web :: it exists in {root}/web
web/src :: cd web && cat README.md :: it exists in {root}/web
web/src :: cd src :: it exists in {root}/web
web :: cd api :: it exists in {root}
web :: cd api && python3 main.py :: it exists in {root}
web :: cd ./docs :: it exists in {root}
web :: cd src && cd api :: it exists in {root}
web :: echo first; cd api :: it exists in {root}
api :: cd web/src && ls :: it exists in {root}
api :: cd 'docs' :: it exists in {root}
docs :: pushd web :: it exists in {root}
web/src/lib :: cd web :: it exists in {root}/web
web :: cat api/main.py :: it exists in {root}
web :: cat web/src/app.ts :: it exists in {root}
web :: cat README.md docs/guide.md :: it exists in {root}
web :: head -3 docs/guide.md | tail -1 :: it exists in {root}
web :: sed -n 1,5p src/main.py :: it exists in {root}
web :: python3 scripts/tool.py :: it exists in {root}
web :: ./scripts/run.sh 2>&1 | tail -3 :: it exists in {root}
web :: bash scripts/run.sh :: it exists in {root}
web :: git add api/main.py :: it exists in {root}
web :: npm --prefix ./api test :: it exists in {root}
api :: FOO=1 timeout 5 cat docs/guide.md :: it exists in {root}
api :: cat main.py; wc -l data/a.csv :: it exists in {root}
""",
    "make-in-a-folder-without-a-makefile": r"""
web :: make test :: {root}
web/src :: make :: {root}
. :: cd api && make build :: {root}
""",
    "no-zork": r"""
. :: zork --now :: zork is not installed
web :: cd src && zork :: zork is not installed
""",
}


def good() -> list[tuple[str, str]]:
    return rows_below(_GOOD)


def rows_below(text: str, heredoc: str = "print(1)") -> list[tuple[str, str]]:
    """Folders and commands of a text in which `:: folder` stands above its commands, with `¦` between them."""
    found, folder = [], ""
    for line in text.split("\n"):
        if line.startswith(":: "):
            folder = line[3:]
        elif line:
            found += [(folder, _with_heredoc(command, heredoc)) for command in line.split(" ¦ ")]
    return found


def wrong() -> list[tuple[str, str, str, str]]:
    """Lesson, folder, command, and what its words say."""
    return [(slug, *row) for slug, rows in WRONG.items() for row in _rows(rows)]  # type: ignore[misc]


def _rows(text: str) -> list[tuple[str, ...]]:
    lines = [line for line in text.splitlines() if line.strip()]
    return [tuple(line.split(" :: ")) for line in lines]


def _with_heredoc(command: str, body: str) -> str:
    """A heredoc ends on a line of its own, which a row cannot have."""
    return command.replace("<<'EOF'", f"<<'EOF'\n{body}\nEOF")
