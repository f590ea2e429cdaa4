"""The state of the work is not a mistake of the call that asked for it."""

from lessons.capture.shapes.judgement import judge
from lessons.episode import Step
from tests.capture.shapes.tables import failures
from tests.tables import table

NOT_STATE = r"""
$$ [129] git commit --nosuch
error: unknown option `nosuch'
usage: git commit [-a | --interactive | --patch]
$$ [128] git push
fatal: The current branch topic has no upstream branch.
$$ [128] git rebase nope
fatal: invalid upstream 'nope'
$$ gh pr checks --wait
unknown flag: --wait
$$ [128] git log nope
fatal: ambiguous argument 'nope': unknown revision or path not in the working tree.
"""
STATE = r"""
$$ git merge main
Auto-merging src/cart.py
CONFLICT (content): Merge conflict in src/cart.py
Automatic merge failed; fix conflicts and then commit the result.
$$ git rebase main
error: could not apply 1a2b3c4... Add cart
hint: Resolve all conflicts manually
$$ git cherry-pick 1a2b3c4
The previous cherry-pick is now empty, possibly due to conflict resolution.
$$ git push
 ! [rejected]        main -> main (fetch first)
error: failed to push some refs to 'git.example.com:shop.git'
$$ git push origin main
 ! [remote rejected] main -> main (protected branch hook declined)
$$ [128] git pull --ff-only
fatal: Not possible to fast-forward, aborting.
$$ [128] git pull
hint: You have divergent branches and need to specify how to reconcile them.
fatal: Need to specify how to reconcile divergent branches.
$$ git commit -m x
On branch main
nothing to commit, working tree clean
$$ git commit -m y
Changes not staged for commit:
	modified:   src/cart.py
no changes added to commit (use "git add" and/or "git commit -a")
$$ git branch -d topic
error: the branch 'topic' is not fully merged
$$ [128] git merge --abort
fatal: There is no merge to abort (MERGE_HEAD missing).
$$ [128] git rebase --continue
fatal: No rebase in progress?
$$ git stash pop
No stash entries found.
$$ [128] git commit
error: Committing is not possible because you have unmerged files.
$$ [128] git pull origin main
fatal: refusing to merge unrelated histories
$$ gh pr view
no pull requests found for branch "topic"
$$ gh pr create --fill
pull request create failed: GraphQL: No commits between main and topic (createPullRequest)
$$ gh pr create --fill --base main
a pull request for branch "topic" into branch "main" already exists:
https://github.com/shop/shop/pull/4
$$ gh pr merge 4
X Pull request shop/shop#4 is not mergeable: the base branch policy prohibits the merge.
$$ [8] gh pr checks 4
build	pass	1m2s	https://ci.example.com/1
test	fail	2m4s	https://ci.example.com/2
$$ npm publish
npm error 403 You cannot publish over the previously published versions: 1.0.0.
$$ npm version patch
npm error Git working directory not clean.
"""


@table("step", failures(NOT_STATE))
def test_is_about_the_call(step: Step) -> None:
    assert judge(step).shape != "state"


@table("step", failures(STATE))
def test_tells_where_the_work_stands(step: Step) -> None:
    assert judge(step).shape == "state"
