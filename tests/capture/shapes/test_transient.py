"""Errors that pass by themselves, or that a person must resolve, are never a mistake of the call."""

from lessons.capture.shapes.judgement import judge
from lessons.episode import Step
from tests.capture.shapes.tables import failures
from tests.tables import table

LASTING = r"""
$$ gh pr diff 12 --stat
unknown flag: --stat
$$ curl -fsS https://api.example.com/nope
curl: (22) The requested URL returned error: 404
$$ [3] curl http://localhost/[x
curl: (3) bad range in URL position 19:
$$ [126] ./deploy.sh
bash: ./deploy.sh: Permission denied
$$ pytest tests/test_retry.py
FAILED tests/test_retry.py::test_refused - ConnectionError: connection refused
1 failed in 0.10s
$$ npm test
    expect(received).toBe(expected)
    Expected: 429
    Received: 503
$$ cat notes.txt
cat: notes.txt: No such file or directory
$$ git checkout -b topic
fatal: a branch named 'topic' already exists
$$ mcp__tickets__close {"id": 503}
Ticket 503 is closed
"""
PASSING = r"""
$$ [128] git commit -m x
fatal: Unable to create '/srv/shop/.git/index.lock': File exists.

Another git process seems to be running in this repository
$$ [128] git fetch
ssh: connect to host git.example.com port 22: Connection timed out
fatal: Could not read from remote repository.
$$ [128] git pull
fatal: unable to access 'https://git.example.com/shop.git/': Could not resolve host: git.example.com
$$ [128] git push
git@git.example.com: Permission denied (publickey).
fatal: Could not read from remote repository.
$$ [128] git commit -m signed
error: gpg failed to sign the data
fatal: failed to write commit object
$$ [6] curl -s https://api.example.com
curl: (6) Could not resolve host: api.example.com
$$ [7] curl -s http://localhost:3000/health
curl: (7) Failed to connect to localhost port 3000 after 0 ms: Couldn't connect to server
$$ [28] curl -m 5 http://localhost:3000

$$ [52] curl http://localhost:3000
curl: (52) Empty reply from server
$$ npm install
npm error code ETIMEDOUT
npm error network request to https://packages.example.com/vite failed, reason: connect ETIMEDOUT
$$ npm install vite
npm error code EAI_AGAIN
$$ npm run dev
Error: listen EADDRINUSE: address already in use :::3000
    at Server.setupListenHandle [as _listen2] (node:net:1908:16)
$$ pip install requests
ERROR: Could not install packages due to an OSError: HTTPSConnectionPool: Max retries exceeded with url: /simple
$$ docker ps
Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?
$$ docker compose up -d
Error response from daemon: driver failed programming external connectivity: port is already allocated
$$ docker pull alpine
Error response from daemon: toomanyrequests: You have reached your pull rate limit.
$$ kubectl get pods
The connection to the server localhost:8080 was refused - did you specify the right host or port?
$$ kubectl get nodes
Unable to connect to the server: net/http: TLS handshake timeout
$$ [2] psql -c "select 1"
psql: error: connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused
	Is the server running on that host and accepting TCP/IP connections?
$$ redis-cli ping
Could not connect to Redis at 127.0.0.1:6379: Connection refused
$$ mysql -e "select 1"
ERROR 2002 (HY000): Can't connect to local MySQL server through socket '/var/run/mysqld/mysqld.sock' (2)
$$ sqlite3 shop.db "delete from carts"
Error: stepping, database is locked (5)
$$ gh pr view 4
HTTP 502: 502 Bad Gateway (https://api.github.com/graphql)
$$ gh api user
gh: API rate limit exceeded for user ID 1. (HTTP 403)
$$ [4] gh pr list
To get started with GitHub CLI, please run:  gh auth login
$$ [255] ssh web uptime
Host key verification failed.
$$ [124] timeout 60 npm test

$$ [137] npm run build
Killed
$$ [143] sleep 900
Command timed out after 2m 0.0s
$$ aws s3 ls
An error occurred (ExpiredToken) when calling the ListBuckets operation: The provided token has expired.
$$ terraform apply
Error: Error acquiring the state lock
$$ [100] sudo apt-get update
E: Could not get lock /var/lib/apt/lists/lock. It is held by process 411 (apt-get)
$$ cargo build
warning: spurious network error (3 tries remaining): [28] Timeout was reached
error: failed to get `serde` as a dependency of package `shop`
  Caused by: failed to download from `https://index.example.com/se/rd/serde`
$$ mcp__tickets__search {"query": "x"}
MCP error -32001: Request timed out
$$ mcp__tickets__list {}
MCP error -32000: Connection closed
$$ mcp__browser__navigate {"url": "http://localhost:3000"}
Error: page.goto: net::ERR_CONNECTION_REFUSED at http://localhost:3000/
$$ npx prisma migrate dev
Error: P1001: Can't reach database server at `localhost:5432`

Please make sure your database server is running at `localhost:5432`.
$$ npx prisma db push
Error: P1001

Can't reach database server at `db.example.com`:`5432`
$$ psql -c "select count(*) from events"
ERROR:  canceling statement due to statement timeout
$$ psql -f report.sql
psql:report.sql:3: ERROR:  canceling statement due to lock timeout
$$ mysql -e "select 1 from t"
ERROR 3024 (HY000) at line 1: Query execution was interrupted, maximum statement execution time exceeded
$$ [254] aws ec2 run-instances --image-id ami-1
An error occurred (UnauthorizedOperation) when calling the RunInstances operation: You are not allowed.
$$ [254] aws s3 cp a.txt s3://shop
upload failed: ./a.txt An error occurred (AccessDenied) when calling the PutObject operation: Access Denied
$$ [254] aws lambda list-functions
An error occurred (AccessDeniedException) when calling the ListFunctions operation: not for ci
$$ [254] aws dynamodb scan --table-name t
An error occurred (ThrottlingException) when calling the Scan operation (reached max retries: 2): Rate exceeded
$$ gcloud run services list
ERROR: (gcloud.run.services.list) PERMISSION_DENIED: Permission 'run.services.list' denied on resource
$$ gcloud projects list
ERROR: (gcloud.projects.list) There was a problem refreshing your current auth tokens: Reauthentication required.
$$ az vm list
ERROR: (AuthorizationFailed) The client 'x' may not read virtual machines
$$ kubectl get secrets
Error from server (Forbidden): secrets is forbidden: User "dev" cannot list resource "secrets"
$$ npx drizzle-kit push
Error: getaddrinfo ENOTFOUND db.example.com
$$ kubectl apply -f x.yaml
error: You must be logged in to the server (Unauthorized)
$$ pg_dump shop
pg_dump: error: query failed: server closed the connection unexpectedly
"""


@table("step", failures(LASTING))
def test_lasts(step: Step) -> None:
    assert judge(step).shape != "transient"


@table("step", failures(PASSING))
def test_passes(step: Step) -> None:
    assert judge(step).shape == "transient"
