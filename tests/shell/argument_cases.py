"""Code in the arguments of programs. ⏎ is a newline."""

# Code in an argument; judged by bash.
CODE = r"""
bash -c 'pytest -q'
bash -c "pytest -q"
sh -e -c 'pytest -q' name argument
bash -euo pipefail -c 'pytest -q'
bash --norc -o pipefail -ec 'pytest -q'
/bin/zsh -c 'pytest -q'
bash -c 'bash -c "pytest -q"'
bash -c "echo $(pytest -q)"
eval pytest -q
eval 'cd x && pytest -q'
eval "ls;" "pytest -q"
xargs sh -c 'pytest -q'
find . -name '*.py' -exec pytest -q \;
find . -execdir pytest -q ';' -print
find . -exec sh -c 'pytest -q' \;
env -S 'A=1 pytest -q'
env -S'pytest -q'
env --split-string='pytest -q'
flock lock -c 'pytest -q'
flock -n lock --command 'pytest -q'
script -c 'pytest -q' log
script -qec 'pytest -q' /dev/null
script --command='pytest -q'
eval -- 'pytest -q'
echo a | xargs pytest -q
echo a | xargs -n 1 pytest -q
echo a | xargs -I{} pytest -q
echo a | xargs -0 -P4 -I % sh -c 'pytest -q; ls %'
echo a | xargs env A=1 pytest -q
trap 'pytest -q' EXIT
trap -- 'ls; pytest -q' EXIT INT
"""

CODE_BY_HAND = r"""
find . -exec ls {} + -ok pytest -q \;
xargs -0 -n 1 -P4 -I{} pytest -q
bash -lc 'cd x; pytest -q'
dash -c 'pytest -q' && ksh -c ls
sudo -u bob bash -c 'pytest -q'
ssh host pytest -q
ssh -i key -p 22 -o StrictHostKeyChecking=no bob@host 'cd x && pytest -q'
ssh host -t -p 22 pytest -q
ssh -tt host -- pytest -q
ls | xargs pytest -q
xargs -n1 timeout 5 pytest -q
xargs -d '\n' --max-args 1 pytest -q
su -c 'pytest -q'
su - bob -c 'pytest -q'
watch -n 1 'pytest -q | tail'
watch -n 2 -d pytest -q
su --command='pytest -q' bob
su -lc 'pytest -q' bob
su -c'pytest -q'
echo pytest -q | su - bob
runuser -l bob -c 'pytest -q'
runuser bob --command='pytest -q'
npx -c 'pytest -q'
npx -p x --call='pytest -q'
npm exec -c 'pytest -q'
parallel pytest -q ::: a b
parallel -j 4 'pytest -q' ::: a b
parallel ::: ls 'pytest -q'
echo pytest -q | parallel -j 2
sem -j 2 pytest -q
git bisect run pytest -q
git -C x bisect run sh -c 'pytest -q'
git rebase -i --exec 'pytest -q' main
git rebase -x 'pytest -q' main
git submodule foreach 'pytest -q'
git filter-branch --tree-filter 'pytest -q' HEAD
pnpm run pytest -q
pnpm --filter web run pytest -q
pnpm pytest -q
yarn run pytest -q
yarn pytest -q
bun run pytest -q
bun --cwd web run pytest -q
doppler run --command='ls && pytest -q'
hyperfine -w 3 'pytest -q'
hyperfine --prepare 'pytest -q' ls
concurrently -n a,b 'pytest -q' 'ls'
nodemon --exec 'pytest -q'
ls | entr -s 'pytest -q'
ls | entr -r pytest -q
echo pytest -q | at now
sg docker -c 'pytest -q'
newgrp docker <<EOF⏎pytest -q⏎EOF
sudo -s 'pytest -q'
sudo -i <<EOF⏎pytest -q⏎EOF
gdb -ex run --args pytest -q
"""
