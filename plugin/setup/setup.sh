# Run in the background by the first session: finds a Python that is none of the shims, and lets it do the rest.
# A shim costs more at every tool call than the whole hook; so each candidate is asked which interpreter it really is.
# A session may start in a repository that nobody has looked at, so no program in it is run.

# Sets `root` to the repository around a folder, else to the folder. A submodule and a linked worktree have a file
# `.git`: the repository around them belongs to the project too. `/` is no project, because nothing is outside it.
find_root() {
  root='' above=$(cd -P -- "$1" 2>/dev/null && pwd -P && echo .) || return 0
  above=${above%??}
  root=$above
  while [ -n "$above" ]; do
    [ -e "$above/.git" ] && root=$above
    [ -d "$above/.git" ] && break
    above=${above%/*}
  done
  [ "$root" != / ] || root=''
}

# Compares the folders themselves: one folder may have several names.
is_in_project() {
  above=$1
  while [ -n "$above" ]; do
    if [ "$above" -ef "$working" ] || [ "$above" -ef "$project" ]; then return 0; fi
    case $above in */*) above=${above%/*} ;; *) above='' ;; esac
  done
  return 1
}

# Whether neither the name of a folder nor the folder that it leads to is in the project.
is_outside() {
  ! is_in_project "$1" && (cd -P -- "$1" 2>/dev/null && ! is_in_project "$PWD")
}

unset CDPATH
find_root .
working=$root
find_root "${CLAUDE_PROJECT_DIR:-.}"
project=$root left=${PATH-}: safe='' unused=''
set --
while [ -n "$left" ]; do
  entry=${left%%:*} left=${left#*:}
  case $entry in
  /*) is_outside "$entry" && set -- "$@" "$entry" && safe=$safe:$entry && continue ;;
  esac
  [ -x "${entry:-.}/python3" ] && unused=' Those inside the project are not used.'
done
safe=${safe#:}
PATH=${safe:-/usr/bin:/bin}
export PATH
# A shim may read the name of its program from a file of the current folder.
cd / || exit 1

question='
import importlib.util, os, sys
missing = [name for name in ("venv", "ensurepip") if importlib.util.find_spec(name) is None]
real = os.path.realpath(getattr(sys, "_base_executable", "") or sys.executable)
print("too-old" if sys.version_info < (3, 11) else "incomplete" if missing else "good:" + real)
'
# A stub of a store prints nothing, a shim may print more than it was asked, and a Python that gets too little memory
# may compute for ever.
ask() {
  may_run "$1" || return 1
  reply=$(exec </dev/null 2>/dev/null; ulimit -t 5; exec "$@" -I -S -c "$question") || return 1
  reply=${reply##*"
"}
  case $reply in
  good:*) may_run "${reply#good:}" && exec "${reply#good:}" -I "$here/install.py" "${reply#good:}" ;;
  incomplete) incomplete="$*" ;;
  too-old) old="$*" ;;
  esac
}

# Whether a program, and the file that it is a link to, is outside the project.
may_run() {
  for file in "$1" "$(readlink -f "$1" 2>/dev/null)"; do
    case $file in
    /* | ?:[/\\]*) is_outside "${file%[/\\]*}/" || return 1 ;;
    ?*) return 1 ;;
    esac
  done
}

# What macOS has there offers to download developer tools, in a window, where they are missing.
is_offer_to_download() {
  [ "$1" = /usr/bin/python3 ] && command -v xcode-select >/dev/null && ! xcode-select -p >/dev/null 2>&1
}

# One line, in which no character needs an escape in JSON.
fail() {
  mkdir -p "$data" && printf '%s\n' "$1" | tr '"\\\t' "'/ " >"$data/failed.$$" && mv -f "$data/failed.$$" "$data/failed"
  exit 1
}

here=$CLAUDE_PLUGIN_ROOT/setup data=$CLAUDE_PLUGIN_DATA incomplete='' old=''
names='python3.14 python3.13 python3.12 python3.11 python3 python'
for name in $names; do
  for folder in "$@"; do
    [ -x "$folder/$name" ] && ! is_offer_to_download "$folder/$name" && ask "$folder/$name"
  done
done
for folder in /opt/homebrew/bin /usr/local/bin /usr/bin "${HOME-}/.local/bin" "${HOME-}"/.pyenv/versions/*/bin \
  "${HOME-}"/.local/share/uv/python/*/bin; do
  for name in $names; do
    [ -x "$folder/$name" ] && ! is_offer_to_download "$folder/$name" && ask "$folder/$name"
  done
done
for folder in "$@"; do
  [ -x "$folder/py" ] && ask "$folder/py" -3
done

again='The next session tries again.'
if [ -n "$incomplete" ]; then
  fail "lessons could not be set up: $incomplete lacks the modules venv and ensurepip. Install them (on Debian and Ubuntu: apt install python3-venv). $again"
fi
[ -z "$old" ] || old=", and $old is older"
fail "lessons could not be set up: it needs Python 3.11 or newer$old. Install one.$unused $again"
