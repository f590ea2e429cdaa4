# Sourced by each command of hooks.json, with `event` set: the payload on stdin in, the hook's answer on stdout out.
# It runs at every tool call: builtins alone, then one Python. Whatever happens, the command ends with status 0.

[ "${LESSONS_DISABLE:-0}" = 0 ] || exit 0
data=${CLAUDE_PLUGIN_DATA-}
version='' python='' entry='' own_python='' home='' works=''
if [ -r "$data/installation" ]; then
  {
    IFS= read -r version && IFS= read -r python && IFS= read -r entry && IFS= read -r own_python && IFS= read -r home
  } <"$data/installation" || version=''
fi
if [ -n "$version" ] && [ -x "$python" ] && [ -r "$entry" ]; then
  works=yes
  [ -n "${LESSONS_HOME-}" ] || LESSONS_HOME=$home
  export LESSONS_HOME
fi
if [ "$event" = SessionStart ]; then
  [ -r "$CLAUDE_PLUGIN_ROOT/hooks/start.sh" ] && . "$CLAUDE_PLUGIN_ROOT/hooks/start.sh"
elif [ -n "$works" ]; then
  "$python" -I -S "$entry" "$event" --plugin
fi
exit 0
