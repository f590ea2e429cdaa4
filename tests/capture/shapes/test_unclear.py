"""Errors that do not show whose fault it is: only a changed call that works can show it."""

from lessons.capture.shapes.judgement import judge
from lessons.episode import Step
from tests.capture.shapes.tables import failures
from tests.tables import table

UNCLEAR = r"""
$$ gh api repos/shop/shop/releases/latest
gh: Not Found (HTTP 404)
$$ curl -fsS https://api.example.com/orders
curl: (22) The requested URL returned error: 404
$$ kubectl get pod web
Error from server (NotFound): pods "web" not found
$$ docker logs web
Error response from daemon: No such container: web
$$ [128] git log origin/HEAD..topic
fatal: ambiguous argument 'origin/HEAD..topic': unknown revision or path not in the working tree.
$$ [128] git worktree add ../w main
fatal: 'main' is already used by worktree at '/srv/shop'
$$ [128] git show HEAD:src/nope.py
fatal: path 'src/nope.py' does not exist in 'HEAD'
$$ [128] git pull --rebase
error: cannot pull with rebase: You have unstaged changes.
error: Please commit or stash them.
$$ npm view left-pad@9
npm error code E404
npm error 404 No match found for version 9
$$ npm install react-old
npm error code ERESOLVE
npm error ERESOLVE unable to resolve dependency tree
$$ npx jest src/nope
No tests found, exiting with code 1
Run with `--passWithNoTests` to exit with code 0
$$ npx vitest run src/nope
No test files found, exiting with code 1

filter: src/nope
$$ [5] pytest -k nope
collected 12 items / 12 deselected / 0 selected
============ 12 deselected in 0.05s ============
$$ python3 tools/report.py
Traceback (most recent call last):
  File "/srv/shop/tools/report.py", line 1, in <module>
    import yaml
ModuleNotFoundError: No module named 'yaml'
$$ rm build/old.txt
rm: cannot remove 'build/old.txt': No such file or directory
$$ cp a.txt missing/b.txt
cp: cannot create regular file 'missing/b.txt': No such file or directory
$$ mkdir build
mkdir: cannot create directory 'build': File exists
$$ [5] jq .name orders.json
jq: error (at orders.json:40): Cannot index array with string "name"
$$ jq . out.txt
jq: parse error: Invalid numeric literal at line 1, column 10
$$ make deploy
make: *** [Makefile:9: deploy] Error 1
$$ [1] npx prisma db push
Error: P1012
error: Environment variable not found: DATABASE_URL.
$$ alembic upgrade abc123
FAILED: Can't locate revision identified by 'abc123'
$$ [254] aws s3 cp a.txt s3://nope/
upload failed: ./a.txt to s3://nope/a.txt An error occurred (NoSuchBucket) when calling the PutObject operation
$$ uv add shop-core
  × No solution found when resolving dependencies:
  ╰─▶ Because shop-core was not found in the package registry and your project depends on it
$$ scp web:/srv/x .
scp: /srv/x: No such file or directory
$$ npm run deploy
> shop@1.0.0 deploy
> node deploy.js

Deploy refused by policy
$$ [1] docker compose exec web ls
service "web" is not running
$$ mcp__browser__click {"ref": "e4"}
Error: Ref e4 not found in the current page snapshot. Try capturing new snapshot.
$$ mcp__tickets__show {"id": 9}
Ticket 9 was not found
"""


@table("step", failures(UNCLEAR))
def test_nobody_knows_yet(step: Step) -> None:
    assert judge(step).shape == "unclear"
