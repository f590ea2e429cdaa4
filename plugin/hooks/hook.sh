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
  case $event in
  PreCompact | Stop | SessionEnd | PostToolUse) "$python" -I -S "$entry" "$event" --python "$own_python" --plugin ;;
  *) "$python" -I -S "$entry" "$event" --plugin ;;
  esac || works=''
fi
# Once for a client, whose process is the parent of every hook: who makes the file tells. What PreCompact prints would
# go to the model, and a session that starts tells by itself.
if [ -n "$version" ] && [ -z "$works" ] && [ "$event" != PreCompact ] && [ "$event" != SessionStart ]; then
  { set -C; true >"$data/cannot-start.$PPID"; } 2>/dev/null &&
    printf '%s\n' '{"systemMessage":"The lessons hook cannot start, because its Python or its files are gone or broken: the next session sets it up again."}'
fi
exit 0
