"""Programs that only look, wait or change the folder. Separate from the other tables because the hook needs them."""

CHANGE_FOLDER = frozenset(("cd", "pushd"))
# Commands that change nothing: if they find nothing, that is an answer.
LOOK = frozenset(
    "ls cat head tail find stat file which type whereis test [ [[ grep rg egrep fgrep ag ack wc tree pgrep diff cmp du"
    " df realpath readlink dirname basename lsof ps jq yq sed awk less more nl sort uniq cut comm look locate fd bat"
    " eza exa lsd command hash id env printenv pwd whoami hostname uname date man dpkg-query sha256sum md5sum base64"
    " xxd od zgrep column tr".split()
)
EDIT_IN_PLACE = frozenset(("sed", "yq", "awk"))  # of LOOK, if asked to
LOOK_OR_IDLE = LOOK | CHANGE_FOLDER | frozenset("popd echo printf sleep true set wait exit".split())
