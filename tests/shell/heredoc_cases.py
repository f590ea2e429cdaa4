"""Code that a shell reads: heredocs, strings, pipes, substitutions. ⏎ is a newline, ⇥ a tab, ␍ a return."""

# Bash itself judges these.
RUNS = r"""
cat <<EOF⏎$(pytest -q)⏎EOF
cat <<EOF⏎`pytest -q`⏎EOF
cat <<EOF⏎${x:-$(pytest -q)} and $((1 + $(ls)))⏎EOF
cat <<EOF | python⏎print($(pytest -q))⏎EOF
bash <<EOF⏎pytest -q⏎EOF
bash <<EOF⏎\$(pytest -q)⏎EOF
bash <<'EOF'⏎cd x && pytest -q⏎EOF
bash <<-EOF⏎⇥pytest -q⏎⇥EOF
bash -s <<EOF⏎pytest -q⏎EOF
bash -s one two <<EOF⏎pytest -q⏎EOF
bash /dev/stdin <<EOF⏎pytest -q⏎EOF
source /dev/stdin <<EOF⏎pytest -q⏎EOF
bash <<EOF && ls⏎pytest -q⏎EOF
bash <<< 'pytest -q'
bash <<<pytest\ -q
bash 0<<< 'pytest -q'
cat <<EOF | bash⏎pytest -q⏎EOF
cat - <<EOF | sh⏎pytest -q⏎EOF
echo pytest -q | bash
echo -e 'ls\npytest -q' | sh
echo -n pytest -q |& sh
printf 'ls\npytest -q\n' | sh
echo pytest -q |⏎  bash
{ echo ls; echo pytest -q; } | bash
(echo ls; echo pytest -q) | bash
if ls; then echo pytest -q; fi | bash
bash <(echo pytest -q)
source <(echo pytest -q)
. <(cat <<EOF⏎pytest -q⏎EOF⏎)
bash -c "$(echo pytest -q)"
bash -c "`echo pytest -q`"
eval "$(cat <<'EOF'⏎cd x && pytest -q⏎EOF⏎)"
eval -- pytest -q
bash <<EOF⏎bash <<END⏎pytest -q⏎END⏎EOF
cat <<EOF⏎x $(ls; pytest -q) y⏎EOF
cat <<-EOF⏎⇥$(pytest -q)⏎⇥EOF
cat <<EOF⏎${x:-$(pytest -q)}⏎EOF
cat <<EOF⏎$((1 + $(pytest -q; echo 1)))⏎EOF
cat <<EOF⏎\\$(pytest -q)⏎EOF
cat <<EOF⏎"$(pytest -q)"⏎EOF
cat <<EOF⏎'$(pytest -q)'⏎EOF
cat <<EOF⏎$(cat <<END⏎$(pytest -q)⏎END⏎)⏎EOF
cat <<EOF⏎# $(pytest -q)⏎EOF
cat <<EOF; pytest -q⏎body⏎EOF
cat <<EOF && pytest -q⏎body⏎EOF
cat <<A <<B⏎$(pytest -q)⏎A⏎b⏎B
cat <<A; cat <<B⏎a⏎A⏎$(pytest -q)⏎B
cat 3<<EOF⏎$(pytest -q)⏎EOF
ls <<EOF > out 2>&1⏎$(pytest -q)⏎EOF
cat <<EOF⏎it's $(pytest -q)⏎EOF
cat <<EOF⏎"unbalanced $(pytest -q)⏎EOF
sh <<EOF⏎pytest -q⏎EOF
dash <<EOF⏎pytest -q⏎EOF
zsh <<EOF⏎pytest -q⏎EOF
busybox sh <<EOF⏎pytest -q⏎EOF
bash <<'EOF'⏎if true; then pytest -q; fi⏎EOF
bash <<EOF⏎ls⏎  pytest -q  ⏎EOF
bash <<EOF⏎echo 'a⏎b'; pytest -q⏎EOF
bash <<'EOF'⏎cat <<END⏎$(pytest -q)⏎END⏎EOF
bash <<'EOF'⏎bash -c 'pytest -q'⏎EOF
bash <<EOF⏎x='pytest -q'⏎\$x⏎EOF
bash -x <<EOF⏎pytest -q⏎EOF
bash -e -u <<EOF⏎pytest -q⏎EOF
bash -s a b <<'EOF'⏎pytest -q "$1"⏎EOF
bash - <<EOF⏎pytest -q⏎EOF
bash -c 'bash' <<EOF⏎pytest -q⏎EOF
bash -c 'cat | bash' <<EOF⏎pytest -q⏎EOF
bash -c 'ls; sh' <<EOF⏎pytest -q⏎EOF
env bash <<EOF⏎pytest -q⏎EOF
env A=1 bash <<EOF⏎pytest -q⏎EOF
timeout 5 bash <<EOF⏎pytest -q⏎EOF
nice bash <<EOF⏎pytest -q⏎EOF
command bash <<EOF⏎pytest -q⏎EOF
exec bash <<EOF⏎pytest -q⏎EOF
FOO=1 bash <<EOF⏎pytest -q⏎EOF
bash <<EOF | cat⏎pytest -q⏎EOF
bash <<EOF 2>&1 | cat; ls⏎pytest -q⏎EOF
. /dev/stdin <<EOF⏎pytest -q⏎EOF
bash <<< "pytest -q"
bash <<<pytest
bash <<< $'ls\npytest -q'
x='pytest -q'; bash <<< "$x"
x='pytest -q'; bash <<< $x
bash <<< "$(echo pytest -q)"
bash <<< "$(cat <<EOF⏎pytest -q⏎EOF⏎)"
cat <<< 'pytest -q' | bash
cat <<< "$(pytest -q)"
echo "pytest -q" | bash
echo 'ls; pytest -q' | bash
echo 'ls && pytest -q' | sh
echo -n 'pytest -q' | bash
echo -e 'ls\npytest -q' | bash
echo pytest -q | bash -
echo pytest -q | bash -s
echo pytest -q | bash -x
echo pytest -q | bash /dev/stdin
echo pytest -q | cat | bash
echo pytest -q | cat - | bash
echo pytest -q | tee out | bash
echo pytest -q | (bash)
echo pytest -q | { bash; }
echo pytest -q | for i in 1; do bash; done
echo pytest -q | case a in a) bash;; esac
echo pytest -q | timeout 5 bash
echo pytest -q | env bash
echo pytest -q | bash -c 'bash'
printf 'pytest -q' | bash
printf 'pytest -q\n' | bash
printf -- 'pytest -q\n' | bash
{ echo ls | cat; echo pytest -q; } | bash
for i in 1; do echo pytest -q; done | bash
if true; then echo pytest -q; fi | bash
bash -x <(echo pytest -q)
sh <(echo pytest -q)
. <(echo pytest -q)
source <(cat <<EOF⏎pytest -q⏎EOF⏎)
source <(echo ls; echo pytest -q)
bash -c "$(cat <<'EOF'⏎ls⏎pytest -q⏎EOF⏎)"
bash -c "ls; $(echo pytest -q)"
eval "$(echo pytest -q)"
eval $(echo pytest -q)
eval "$(cat <<EOF⏎pytest -q⏎EOF⏎)"
eval `echo pytest -q`
eval "$(echo 'ls; pytest -q')"
git commit -m "$(cat <<EOF⏎$(pytest -q)⏎EOF⏎)"
bash </dev/null <<EOF⏎pytest -q⏎EOF
cat <<EOF⏎pytest -q⏎EOF⏎pytest -q
cat <<'E F'⏎a⏎E F⏎pytest -q
: <<EOF⏎$(pytest -q)⏎EOF
x=$(cat <<EOF⏎pytest -q⏎EOF⏎); $x
x=$(bash <<EOF⏎pytest -q⏎EOF⏎)
read -r x <<EOF⏎$(pytest -q)⏎EOF
"""

QUIET = r"""
cat <<EOF⏎\$(pytest -q)⏎EOF
cat <<EOF⏎\`pytest -q\`⏎EOF
cat <<'EOF'⏎$(pytest -q)⏎EOF
cat <<EOF > run.sh⏎pytest -q⏎EOF
bash run.sh <<EOF⏎pytest -q⏎EOF
bash 3<<EOF⏎pytest -q⏎EOF
bash <<EOF <<END⏎pytest -q⏎EOF⏎ls⏎END
bash <<EOF < file⏎pytest -q⏎EOF
bash -c ls <<EOF⏎pytest -q⏎EOF
cat <<EOF | python⏎pytest -q⏎EOF
cat file <<EOF | bash⏎pytest -q⏎EOF
echo pytest -q | cat
echo pytest -q | bash -c cat
echo pytest -q | bash run.sh
echo pytest -q; bash
echo pytest -q && bash
echo pytest -q || bash
echo pytest -q & bash
echo pytest -q⏎bash
echo pytest -q | tee log; bash
echo pytest -q | grep -v pytest | bash
{ echo pytest -q; } > run.sh; bash
(echo pytest -q | cat); bash
printf '%d' 'pytest -q' | bash
printf '%% pytest -q' | bash
diff <(echo pytest -q) <(ls)
cat <(echo pytest -q)
echo ${x:-pytest -q}
cat <<"EOF"⏎$(pytest -q)⏎EOF
cat <<\EOF⏎$(pytest -q)⏎EOF
cat <<E"O"F⏎$(pytest -q)⏎EOF
cat <<EOF | ls⏎pytest -q⏎EOF
cat <<EOF⏎`echo pytest -q`⏎EOF
cat <<EOF⏎$x $y pytest -q⏎EOF
cat <<EOF⏎pytest -q⏎$(ls)⏎EOF
while read l; do ls; done <<EOF⏎pytest -q⏎EOF
bash <<'EOF'⏎cat <<'END'⏎pytest -q⏎END⏎EOF
bash <<EOF⏎# pytest -q⏎EOF
bash <<EOF⏎echo pytest -q⏎EOF
bash -c 'cat' <<EOF⏎pytest -q⏎EOF
bash <<< 'echo pytest'
bash <<< '# pytest'
cat <<< 'pytest -q'
xargs <<< pytest
xargs ls <<< pytest
echo pytest -q | xargs bash -c 'ls'
echo pytest -q | xargs ls
echo pytest -q | xargs
echo pytest | bash -c 'read x; ls'
echo pytest -q | bash -c 'cat'
echo pytest -q | sort | cat
echo pytest -q > out | bash
echo pytest -q; ls | bash
echo pytest -q & bash </dev/null
echo pytest -q | ls && bash </dev/null
printf '#%s\n' 'pytest -q' | bash
cat <(echo pytest -q) | cat
eval "x=$(echo pytest -q)"
git commit -m "$(cat <<'EOF'⏎pytest -q⏎EOF⏎)"
git commit -F - <<EOF⏎pytest -q⏎EOF
tee out <<EOF⏎pytest -q⏎EOF
cat > out <<EOF⏎pytest -q⏎EOF
cat <<EOF > out; ls⏎pytest -q⏎EOF
python <<EOF⏎pytest -q⏎EOF
python - <<EOF⏎pytest -q⏎EOF
sort <<EOF⏎pytest -q⏎EOF
ls <<EOF⏎pytest -q⏎EOF
bash nowhere.sh <<EOF⏎pytest -q⏎EOF
bash 3<<EOF </dev/null⏎pytest -q⏎EOF
bash <<EOF </dev/null⏎pytest -q⏎EOF
bash -n <<EOF⏎pytest -q⏎EOF
cat <<EOF⏎EOF ⏎pytest -q⏎EOF
cat <<EOF⏎ EOF⏎pytest -q⏎EOF
cat <<'E F'⏎pytest -q⏎E F
cat <<EOF␍⏎pytest -q␍⏎EOF␍⏎
cat <<$x⏎pytest -q⏎$x
cat <<EOF | bash -c 'ls'⏎pytest -q⏎EOF
: <<EOF⏎pytest -q⏎EOF
: <<'EOF'⏎$(pytest -q)⏎EOF
x=$(cat <<EOF⏎pytest -q⏎EOF⏎)
read -r x <<'EOF'⏎pytest -q⏎EOF
"""

# These need programs that are not everywhere.
RUNS_BY_HAND = r"""
sudo -u bob /bin/sh -e <<EOF⏎pytest -q⏎EOF
cat <<EOF | sudo tee log | bash -x⏎pytest -q⏎EOF
echo 'pytest -q' | sudo bash
ssh host <<EOF⏎pytest -q⏎EOF
ssh -p 22 host bash -s <<EOF⏎pytest -q⏎EOF
ssh host 'cd x && bash' <<EOF⏎pytest -q⏎EOF
echo pytest -q | ssh host
docker exec -i web sh <<EOF⏎pytest -q⏎EOF
kubectl exec -i web -- bash <<EOF⏎pytest -q⏎EOF
"""

QUIET_BY_HAND = r"""
ssh host ls <<EOF⏎pytest -q⏎EOF
ssh host python - <<EOF⏎pytest -q⏎EOF
"""
