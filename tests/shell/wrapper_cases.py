"""Programs that start another one."""

# What stands before the command; bash and the programs themselves judge these.
WRAPPERS = r"""
env
env A=1 B=2
timeout 60
timeout -k 5 -s KILL 60s
timeout --signal=KILL --preserve-status 1m
nice
nice -n 10
nice -10
ionice -c 3 -n7
nohup
time -p
stdbuf -oL -e 0
setsid -w
taskset -c 0,1
taskset 0x3
flock -n lock
flock -w 5 lock
"""

# The same by hand: most machines do not have these programs.
WRAPPERS_BY_HAND = r"""
env -i A=1 B=2
sudo
sudo -E -u bob --
sudo -Eu bob -g staff
sudo --user bob --preserve-env=PATH
sudo FOO=1
doas -u bob
env -u NAME --chdir /x -
gtimeout 5
time -f %e -o out
command -p
builtin
caffeinate -i -t 60
chronic
xvfb-run -a -s screen
strace -f -o out -e trace=file
uv run
uv run --with x --python 3.12 -q --
uv run -m
uv --directory x run --group=dev
uv tool run --from x
uvx
uvx --from x -p 3.12
poetry run
poetry -C dir run
pipenv run
pdm run -p dir
hatch -e test run
rye run
pixi run -e test
conda run -n env --no-capture-output
mamba run --name env
micromamba run -p /x
npx
npx --yes -p x
pnpx
bunx --bun
bun x
npm exec
npm exec --package=x --
npm --prefix dir exec -w web --
pnpm exec
pnpm --filter web exec
pnpm dlx --package x
yarn exec
yarn dlx -p x
bundle exec
mise exec --
mise x node@20 python@3 --
direnv exec .
rtk
rtk proxy
dotenv -f .env run --
pipx run --spec x
python -m
python3 -X dev -W ignore -u -m
python3.12 -Im
python -Xdev -m
py -3.12 -m
sudo -uvic
chroot --userspec=a:b /mnt
chrt -f 10
gosu bob
setarch x86_64 -R
unshare -n --mount
nsenter -t 1 -m -u
systemd-run --user --scope -p MemoryMax=1G
faketime 2020-01-01
coverage run -m
coverage run --source=x --branch -m
python -m coverage run --parallel-mode -m
op run --env-file=.env --
op run --no-masking --
doppler run --
doppler run -p x -c dev --
aws-vault exec prod --
chamber exec one two --
infisical run --env=dev --
dotenv -e .env --
dotenvx run -f .env --
cross-env A=1 B=2
env-cmd -f .env
firejail --net=none
fakeroot
busybox
proxychains4 -q
valgrind --leak-check=full
perf stat -e cycles
ltrace -f -o out
mpirun -np 4 --oversubscribe
srun -n 4 --mem=1G
sshpass -p x
ssh-agent
rustup run nightly
opam exec --switch x --
stack exec --
pyenv exec
rbenv exec
asdf exec
volta run --node 20
nvm exec 20
fnm exec --using=20
devbox run --
lerna exec --scope web --
xcrun --sdk macosx
watchexec -e py --
memray run -m
python -m cProfile -o out -m
tox exec -e py312 --
composer exec --
foreman run
unbuffer -p
rlwrap
prlimit --nofile=10
numactl -N 0
cpulimit -l 50 --
"""

# They wrap nothing.
NONE = r"""
timeout 60
timeout -k pytest 60
sudo -u pytest
env -u pytest
nice -n pytest
uv tool install pytest
uv add pytest
uv run --with pytest
uv sync --group pytest
poetry add pytest
poetry run
npm install pytest
npm run pytest
pnpm add pytest
npx -p pytest
conda run -n pytest
conda install pytest
mise exec pytest
mise use pytest -- x
direnv exec pytest
pipx install pytest
python pytest
python -m
python -W pytest -X pytest
python --version pytest
python -c pytest -m pytest
xargs -n 1
ssh -p 22 pytest
bash -l pytest
su pytest
find . -exec
sudo -l pytest
sudo -v
sudo -e pytest
sudo --list pytest
timeout --help pytest
env --version pytest
taskset -cp 0 pytest
flock -u 9
flock 9
chrt -p 10 pytest
chroot pytest
gosu pytest
setarch pytest
coverage report pytest
doppler secrets pytest
git bisect start pytest
git bisect run
git rebase pytest
yarn why pytest
bun add pytest
trap - pytest
trap pytest
trap -p pytest
parallel --dry-run pytest
tmux attach -t pytest
tmux kill-session -t pytest
tmux new-session -d -s pytest
screen -r pytest
script pytest
concurrently -n pytest
"""
