"""Lines that run pytest, by the syntax of the shell alone: bash itself judges each. ⏎ is a newline, ⇥ a tab."""

RUNS = r"""
pytest -q
  pytest -q
⇥pytest -q
pytest -q;
pytest -q &
pytest -q & wait
pytest -q #comment
pytest -q|cat
pytest -q||ls
pytest -q; exit
pytest -q⏎# end
cd x && pytest
cd x&&pytest
cd nowhere || pytest
ls|pytest
ls |& pytest
ls | ls | pytest -q
ls & pytest
ls&pytest -q
ls & pytest -q &
ls &>/dev/null & pytest
ls;pytest;ls
ls⏎pytest
ls⏎⏎⏎pytest -q
ls \⏎ && \⏎ pytest
ls &&⏎ pytest -q
ls ||⏎ ls; pytest -q
ls |⏎ pytest -q
ls && { pytest -q; }
ls && (pytest -q)
! pytest
! pytest -q && ls
! ! pytest -q
! time pytest
time pytest
time -p pytest
time ! pytest -q
time (pytest)
time { pytest; }
! { pytest -q; }
(pytest)
( (pytest) )
((pytest) | sort)
(pytest -q)&
(ls;pytest -q)
(cd x && pytest -q)
{ pytest; }
{ pytest -q;}
{ ls; pytest -q; } 2>&1 | cat
{ ls; } && pytest -q
((1)) && pytest -q
((0)) || pytest -q
((i++)); pytest
((x++)) || pytest -q
(( (1+2)*3 )) && pytest -q
let x=1; pytest -q
[[ -d x ]] && pytest
[[ a == a ]] && pytest -q
[[ a < b ]] && pytest -q
[[ a && b ]] || ls; pytest -q
[[ ( a == a ) && -n b ]] && pytest -q
[[ a =~ ^(a|b)$ ]] && pytest -q
[[ a == [ab]* ]] && pytest -q
[[ "a" == 'a' ]] && { pytest -q; }
[[ a -nt b || a == a ]] && pytest -q
[[ $(pytest -q) ]] || ls
[ a = a ] && pytest -q
[ "$(pytest -q)" ] || ls
[ "a" = ")" ] || pytest -q
test a = a && pytest -q
: && pytest -q
true; pytest -q
false || pytest -q
set -e; pytest -q
set -euo pipefail; pytest -q
shopt -s extglob; pytest -q
alias x=ls; pytest -q
unset x; pytest -q
pushd x && pytest -q && popd
cd x; pytest -q; cd -
if true; then pytest -q; fi
if ! pytest; then echo no; fi
if ls; then pytest; fi
if (ls) then pytest; fi
if false; then ls; elif pytest; then ls; else ls; fi
if false; then ls; elif true; then pytest -q; fi
if false; then ls; else pytest; fi
if ! false; then pytest -q; fi
if pytest -q; then ls; fi | cat
if true; then⏎  if false; then ls; else⏎    pytest -q⏎  fi⏎fi
while pytest; do break; done
while pytest -q; do break; done
until pytest -q; do ls; done
until ! pytest; do ls; done
while read -r l; do pytest -q; done <<< a
while read x; do ls; done < <(pytest)
ls | while read l; do ls; done; pytest -q
for f in *; do pytest $f; done
for f in $(pytest); do ls; done
for i in 1⏎do⏎pytest -q⏎done
for i in 1; { pytest -q; }
for ((i = 0; i < 1; i++)); do pytest; done
for ((i=0;i<1;i++)) { pytest -q; }
set a; for x do pytest; done
select x in a; do pytest -q; break; done <<< 1
case a in a) pytest -q;; esac
case a in a) pytest -q; esac
case a in a) pytest -q;& b) ls;; esac
case a in b) ls;; *) pytest -q;; esac
case b in (a|b) pytest ;; esac
case a in [ab]) pytest -q;; esac
case "a b" in "a b") pytest -q;; esac
case a in⏎# comment⏎a)⏎  pytest -q⏎  ;;⏎esac
case a in a) case b in b) pytest -q;; esac;; esac
case $x in a) ls;; esac; pytest
case $(pytest) in a) ls;; esac
echo $(case a in a) pytest;; esac)
echo $(case x in a) ls;; esac); pytest
f() { pytest -q; }; f
f() ( pytest -q ); f
f () { pytest -q; } ; f
f(){ pytest;}; f
function f { pytest -q; }; f
function f() { pytest -q; }; f
f() if true; then pytest -q; fi; f
f() { ls; }; f; pytest -q
x() { pytest -q; }; true && x
coproc pytest -q
coproc { pytest -q; }
coproc while pytest; do break; done
$(pytest)
`pytest`
echo $(pytest -q)
echo "$(pytest -q)"
echo "a $(ls; pytest -q) b"
echo `pytest -q`
echo "`pytest -q`"
echo `echo \`pytest\``
echo $(echo $(pytest -q))
echo "$(echo "$(pytest -q)")"
echo "${x:-$(pytest -q)}"
echo "${x:-"$(pytest)"}"
echo ${x:-`pytest -q`}
echo ${x:="$(pytest -q)"}
echo $(( $(pytest; echo 1) + 1 ))
echo $[ $(pytest -q; echo 1) ]
a=$(pytest -q)
a="$(pytest -q)" b=2
a=$(pytest -q) ls
a=(1 $(pytest -q))
a[$(pytest -q; echo 0)]=1
export A=$(pytest -q)
declare x=$(pytest -q)
diff <(pytest a) <(ls)
diff --from=<(pytest)
cat <(pytest -q)
cat < <(pytest -q)
ls > >(pytest -q)
ls 2> >(pytest -q)
ls | tee >(pytest -q)
ls $(pytest -q) # x
ls > "$(pytest -q; echo out)"
ls <<< "$(pytest -q)"
ls <<< $(pytest -q)
exec pytest -q
exec -a name pytest -q
command pytest -q
command -- pytest -q
builtin command pytest -q
builtin eval pytest -q
FOO=1 pytest -q
FOO=1 BAR="a b" pytest -q
FOO= pytest -q
FOO=$(ls) pytest -q
FOO+=1 pytest -q
a[0]=1 pytest -q
tool=(a b) && pytest
>out pytest -q
2>&1 pytest -q
2>/dev/null pytest
<<< x pytest
> out FOO=1 < in pytest
<in pytest -q
{fd}>out pytest -q
pytest -q {fd}>out
pytest>out -q
pytest -q>out
pytest -q 2>&1
pytest -q &>out
pytest -q &>>out
pytest -q >|out
pytest 2>/dev/null -q
pytest -q >&2
pytest -q <&-
ls 2>&1; pytest
\pytest -q
'pytest' -q
"pytest" -q
p'yte'st -q
p"yte"st -q
py\test -q
py\⏎test
$'pytest' -q
echo $'\x'; pytest -q
echo $'\0\xD'; pytest -q
$"pytest" -q
"py"'te'st -q
pytest "-q"
pytest '-q'
pytest \⏎ -q
{pytest,-q}
{pytest,} -q
pytest {-q,-x}
./bin/pytest
$HOME/bin/pytest
"a folder/bin/pytest"
x=pytest; $x -q
x=pytest; ${x} -q
x=pytest; "$x" -q
x="pytest -q"; $x
x='pytest -q'⏎timeout 5 ${x}
x=pytest y=-q; $x $y
x='pytest'; command $x -q
export x=pytest; "$x" -q
x=pytest; ${x:-ls} -q
x="pytest -q"; eval $x
x="pytest -q"; eval "$x"
x='ls; pytest -q'; eval "$x"
x='cd x && pytest -q'; bash -c "$x"
x=$(echo pytest); $x -q
${nothing:-pytest} -q
"${nothing:-pytest}" -q
${nothing-pytest} -q
${nothing:=pytest} -q
$(echo pytest) -q
`echo pytest` -q
$(echo pytest -q)
"$(echo pytest)" -q
$(printf pytest) -q
printf 'pytest -q' > run.sh; bash run.sh
printf 'pytest -q' >> run.sh; . ./run.sh
cat > run.sh <<'EOF'⏎pytest -q⏎EOF⏎bash run.sh
cat <<'EOF' > run.sh⏎pytest -q⏎EOF⏎sh ./run.sh
echo 'pytest -q' | tee run.sh; sh ./run.sh
tee run.sh <<< 'pytest -q' > /dev/null; bash run.sh
f() { echo pytest -q > r; }; f; bash r
x=py; y=test; $x$y -q
x=py y=test; ${x}${y} -q
y=test; py$y -q
echo pytest -q > r; cat r | bash
echo pytest -q > r; bash < r
echo pytest -q > r; eval "$(cat r)"
echo pytest -q > r; bash -c "$(cat r)"
echo pytest -q > r; bash "$PWD/r"
echo ls > r; echo pytest -q >> r; bash r
r=run.sh; echo pytest -q > "$r"; bash ${r}
x=$(cd x && ls); echo pytest -q > r; bash r
if false; then echo ls > r; else echo pytest -q > r; fi; bash r
x=$(cat <<'EOF'⏎ls; pytest -q⏎EOF⏎); eval "$x"
x=py; x+=test; $x -q
"""

# The same behind something that could hide it.
RUNS_BEHIND = r"""
echo a;# x⏎pytest -q
echo 'a⏎b' ; pytest -q
echo "a'b"; pytest -q; echo 'c"d'
echo \"; pytest -q; echo \"
echo \'; pytest -q; echo \'
echo a\;b; pytest -q
echo $((1<<2)); pytest -q
echo $((1>2)); pytest -q
echo $(( (1+2)*3 )); pytest -q
x=$((1+2)); pytest -q
x=$((1 << 2))⏎pytest
x=$(( 1 > 2 ? 3 : 4 )); pytest -q
((x=1)); pytest -q
echo ${#x}; pytest -q
echo ${x#a}; pytest -q
echo ${x##*/}; pytest -q
echo ${x//a/b}; pytest -q
echo ${x%'}'}; pytest -q
echo "${x%\}}"; pytest -q
echo $#; pytest -q
echo $$; pytest -q
echo $?; pytest -q
echo a#b; pytest -q
echo {a,b}; pytest -q
echo {1..3}; pytest -q
echo ~; pytest -q
echo *; pytest -q
echo [a]; pytest -q
echo @; pytest -q
echo "$@"; pytest -q
echo '$('; pytest -q
echo "\$("; pytest -q
echo ')'; pytest -q
echo '`'; pytest -q
echo "\`"; pytest -q
echo '<<EOF'; pytest -q
echo a <<< 'EOF'; pytest -q
echo $'it\'s'; pytest -q
echo $'a\\'; pytest -q
echo "a\\"; pytest -q
echo 'a\'; pytest -q
"""
