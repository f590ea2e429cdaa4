# Run in the background by the first session: finds a Python that is none of the shims, and lets it do the rest.
# A shim costs more at every tool call than the whole hook; so each candidate is asked which interpreter it really is.

question='
import importlib.util, os, sys
missing = [name for name in ("venv", "ensurepip") if importlib.util.find_spec(name) is None]
real = os.path.realpath(getattr(sys, "_base_executable", "") or sys.executable)
print("too-old" if sys.version_info < (3, 11) else "incomplete" if missing else "good:" + real)
'
# A stub of a store prints nothing, a shim may print more than it was asked, and a Python that gets too little memory
# may compute for ever.
ask() {
  reply=$(exec </dev/null 2>/dev/null; ulimit -t 5; exec "$@" -I -S -c "$question") || return 1
  reply=${reply##*"
"}
  case $reply in
  good:*) exec "${reply#good:}" -I "$here/install.py" "${reply#good:}" ;;
  incomplete) incomplete="$*" ;;
  too-old) old="$*" ;;
  esac
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
  found=$(command -v "$name") && ! is_offer_to_download "$found" && ask "$found"
done
for folder in /opt/homebrew/bin /usr/local/bin /usr/bin "${HOME-}/.local/bin" "${HOME-}"/.pyenv/versions/*/bin \
  "${HOME-}"/.local/share/uv/python/*/bin; do
  for name in $names; do
    [ -x "$folder/$name" ] && ! is_offer_to_download "$folder/$name" && ask "$folder/$name"
  done
done
command -v py >/dev/null && ask py -3

again='The next session tries again.'
if [ -n "$incomplete" ]; then
  fail "lessons could not be set up: $incomplete lacks the modules venv and ensurepip. Install them (on Debian and Ubuntu: apt install python3-venv). $again"
fi
[ -z "$old" ] || old=", and $old is older"
fail "lessons could not be set up: it needs Python 3.11 or newer$old. Install one. $again"
