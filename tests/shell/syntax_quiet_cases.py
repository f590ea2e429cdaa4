"""Lines that do not run pytest, by the syntax of the shell alone: bash itself judges each. ⏎ is a newline."""

QUIET = r"""
   ; :
cat pytest.ini
pip install pytest
rg pytest
rg -n pytest src
grep -r 'pytest -q' .
git commit -m "run pytest"
git commit -m 'pytest -q'
git commit -m "fix; pytest -q"
git commit -m 'first⏎pytest -q⏎last'
git grep pytest
echo pytest
echo pytest -q
echo 'pytest -q'
echo "; pytest -q"
echo '$(pytest)' '`pytest`' \$\(pytest\)
echo "\$(pytest -q)"
echo '`pytest -q`'
echo "\`pytest -q\`"
echo a || echo pytest
# pytest -q
ls # pytest -q
ls #; pytest -q
ls # && pytest
ls⏎# it's a comment⏎# pytest
echo a#; echo b #; pytest
ls pytest \⏎ pytest
ls \⏎pytest -q
: pytest -q
: 'pytest -q'
true pytest -q
which pytest && type pytest
type pytest
command -v pytest
command -V pytest
command -pv pytest
hash pytest
pytest=1
pytest="a b"
pytest='a b' pytest+=2
pytest=(a b)
pytest=$(ls)
pytest=1 ls
export pytest=1
declare pytest
readonly pytest=1
unset pytest
read pytest <<< a
alias pytest=ls
alias x='pytest -q'
let pytest=1
false && pytest=1
for pytest in pytest a; do ls; done
for x in pytest; do ls; done
for pytest do ls; done
for ((pytest = 0; pytest < 3; pytest++)); do ls; done
select pytest in a; do break; done <<< 1
case pytest in pytest) ls;; (pytest|pytest) ls ;& pytest) ls;; esac
case x in⏎  # pytest⏎  'pytest' | pytest) ;;⏎esac
case x in a|pytest) ls;; esac
pytest() { ls; }
pytest () { ls; }
pytest() { ls; }; unset -f pytest
function pytest { ls; }
function pytest() { ls; }
f() { ls pytest; }; f
run() { "$@"; }; run echo pytest
[[ -f x && pytest == y || ( pytest ) ]]
[[ $x =~ ^(pytest|pytest)$ ]]
[[ -n pytest ]]
[[ a < pytest ]]
[ pytest = x ]
test pytest
test -n "$(echo pytest)"
(( pytest < 3 )) && (( pytest << 2 ))
(( pytest = 1 ))
echo $(( pytest + (pytest * 2) ))
echo "$((pytest))"
tools=(pytest pytest # pytest⏎ pytest)
shopt -s extglob⏎ls @(pytest|pytest) !(pytest)
ls > pytest
ls >> pytest
ls 2> pytest
ls &> pytest
> pytest ls
> pytest
ls < /dev/null > pytest
ls <<< pytest
ls <<< 'a; pytest'
exec 3> pytest
ls ${x:-pytest} ${pytest} ${x/pytest/pytest}
echo ${x:-pytest}
echo "${x:+pytest -q}"
${x/pytest}
ls pytest
ls -- pytest -q
ls $'\npytest -q'
$'\x71ytest' -q
echo $'\x70ytest -q'
$'\\x70ytest' -q
ls 'a⏎pytest -q⏎b'
ls "a⏎pytest -q⏎b"
ls {pytest,-q}
printf '%s\n' pytest
printf 'pytest -q\n'
cat pytest
set -- pytest -q
set -- pytest -q; echo "$@"
x=pytest
x='pytest -q' ls
x='pytest -q'; echo $x
x='pytest -q'; ls "$x"
x=$(echo pytest -q)
x=`echo pytest -q`
for x in 'pytest -q'; do echo $x; done
ls `echo pytest`
ls $(echo pytest -q)
ls "$(echo pytest -q)"
ls <(echo pytest -q)
if false; then ls pytest; fi
time ls pytest
! ls pytest
time
eval
eval ''
eval 'ls pytest'
eval '# pytest -q'
builtin echo pytest -q
trap - INT
trap '' INT; ls pytest
trap -p
bash -n -c 'pytest -q'
bash -nc 'pytest -q'
bash -o noexec -c 'pytest -q'
bash -n <<< pytest
bash --version pytest
bash script.sh -c pytest
sh -c 'echo "$@"' _ pytest -q
xargs -I pytest echo < /dev/null
find . -name pytest
find . -exec echo pytest ';' -name pytest
printf 'pytest -q' > run.sh; bash other.sh
printf 'pytest -q' > run.sh; cat run.sh
printf 'pytest -q' > run.sh; bash -n run.sh
cat > run.sh <<'EOF'⏎pytest -q⏎EOF⏎cat run.sh
alias x='pytest -q'; x
x=py; y=test; echo $x$y -q
f() { cat; }; f <<< 'pytest -q'
f() { echo pytest -q; }; f
echo 'pytest -q' > >(cat)
echo 'pytest -q' > x; cat x | cat
bash r; echo pytest -q > r
bash -c 'bash r'; echo pytest -q > r
echo pytest -q > r; echo ls > r; bash r
echo pytest -q > r; : > r; bash r
echo pytest -q > r; > r; bash r
echo pytest -q > r; { echo ls; } > r; bash r
echo pytest -q > r; echo ls | tee r; bash r
echo pytest -q > r; cd x && bash r
echo pytest -q > x/r; bash r
{ echo pytest -q > r; } > s; bash s
echo pytest -q > >(bash) > out
shopt -s expand_aliases; alias x=pytest⏎\x
shopt -s expand_aliases; alias x=pytest⏎'x'
shopt -s expand_aliases; alias x=pytest⏎env x
x=(ls pytest); ${x[0]} -q
(x=pytest); $x -q
x=ls; (x=pytest); $x -q
x=ls; x=pytest | cat; $x -q
x=pytest & $x -q
x=pytest; unset x; $x -q
x=pytest; read x < in; $x -q
"""
