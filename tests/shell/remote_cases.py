"""Commands that run on another machine, in a container or in another system."""

RUNS = r"""
ssh -tt -p 22 bob@host pytest -q
ssh -i keyN host 'cd x && pytest -q'
autossh -M 0 host pytest -q
docker exec web pytest -q
docker exec -it -u bob -e A=1 --workdir /x web pytest -q
docker --context x exec web sh -c 'cd x; pytest -q'
docker container exec web pytest -q
docker run img pytest -q
docker run --rm -it -v $PWD:/x -w /x -p 80:80 --name web --network=host img:1 pytest -q
docker run --rm --entrypoint pytest img -q
docker run --entrypoint=/bin/sh img -c 'pytest -q'
docker compose exec web pytest -q
docker compose -f a.yml -p b exec -T --index 1 web bash -lc 'pytest -q'
docker compose run --rm --no-deps web pytest -q
docker-compose -f a.yml exec web pytest -q
podman exec web pytest -q
podman run --rm img pytest -q
nerdctl -n x exec web pytest -q
kubectl exec web -- pytest -q
kubectl -n x exec -it deploy/web -c app -- sh -c 'pytest -q'
kubectl exec web -n x -c app -- pytest -q
kubectl run x --image=y --rm -it -- pytest -q
oc rsh web pytest -q
wsl pytest -q
wsl -d Ubuntu -u bob -- pytest -q
wsl -e bash -c 'pytest -q'
wsl --cd /x --exec pytest -q
adb shell pytest -q
adb -s X shell 'cd /x && pytest -q'
vagrant ssh -c 'pytest -q'
vagrant ssh web --command='pytest -q'
gcloud --project x compute ssh web --zone y --command='pytest -q'
fly -a x ssh console -C 'pytest -q'
heroku run -a x pytest -q
lxc exec web -- pytest -q
multipass exec web -- pytest -q
limactl shell web pytest -q
nix-shell -p x --run 'pytest -q'
nix develop .#x -c pytest -q
nix --extra-experimental-features flakes shell x --command pytest -q
gh codespace ssh -c x -- pytest -q
devcontainer exec --workspace-folder . pytest -q
sudo docker exec web timeout 5 python -m pytest -q
ssh host docker exec web pytest -q
docker exec web ssh host pytest -q
"""

QUIET = r"""
ssh -G host pytest -q
ssh -fN host pytest -q
ssh -L 1:a:2 pytest -q
docker exec pytest -q
docker exec -e pytest -q
docker run pytest -q
docker run --name pytest -q img
docker run img --flag pytest -q
docker logs web pytest -q
docker build -t pytest -q
docker compose up pytest -q
kubectl exec --help pytest -q
kubectl run pytest -q
kubectl logs web pytest -q
wsl --list pytest -q
wsl -d pytest -q
adb push pytest -q
vagrant ssh pytest -q
gcloud compute ssh pytest -q
ansible all -m copy -a 'pytest -q'
nix shell pytest -q
lxc list pytest -q
"""
