# Sourced by each command of hooks.json, with `event` set: the payload on stdin in, the hook's answer on stdout out.
# It runs at every tool call: builtins alone, then one Python. Whatever happens, the command ends with status 0.

[ "${LESSONS_DISABLE:-0}" = 0 ] || exit 0
# With few file numbers busybox ends with 1 at a redirection, without its trap; these quotes and no version tell it.
case $'few'${BASH_VERSION-}${ZSH_VERSION-} in
few) case $(ulimit -n) in [0-9] | 1[0-3]) exit 0 ;; esac ;;
esac
data=${CLAUDE_PLUGIN_DATA-}
# Codex installs this plugin unchanged, and names its folder in a variable of its own too.
agent=''
[ "${PLUGIN_ROOT-}" != "${CLAUDE_PLUGIN_ROOT-none}" ] || agent=codex
version='' python='' entry='' own_python='' home='' works=''
if [ -r "$data/installation" ]; then
  {
    IFS= read -r version && IFS= read -r python && IFS= read -r entry && IFS= read -r own_python && IFS= read -r home
  } <"$data/installation" || version=''
fi
if [ -n "$version" ] && [ -x "$python" ] && [ -r "$entry" ]; then
  works=yes
  LESSONS_HOME=$home # whatever a project sets
  export LESSONS_HOME
fi
# A shell that cannot fork ends: zsh without its trap, unless that happens in `$(...)` inside `eval`.
answer=''
if [ "$event" = SessionStart ]; then
  [ -r "$CLAUDE_PLUGIN_ROOT/hooks/start.sh" ] && . "$CLAUDE_PLUGIN_ROOT/hooks/start.sh"
elif [ -n "$works" ]; then
  case $event in
  PreCompact | Stop | SessionEnd | PostToolUse)
    eval 'answer=$("$python" -I -S "$entry" "$event" --python "$own_python" --plugin ${agent:+--agent} $agent)'
    ;;
  *) eval 'answer=$("$python" -I -S "$entry" "$event" --plugin ${agent:+--agent} $agent)' ;;
  esac || [ -n "$answer" ] || works=''
fi
# Once for a client, whose process is the parent of every hook: who makes the file tells. What PreCompact prints would
# go to the model, and a session that starts tells by itself.
if [ -n "$version" ] && [ -z "$works" ] && [ "$event" != PreCompact ] && [ "$event" != SessionStart ]; then
  message='{"systemMessage":"The lessons hook cannot start, because its Python or its files are gone or broken: the next session sets it up again."}'
  eval 'marked=$({ set -C; : >"$data/cannot-start.$PPID"; } 2>/dev/null)' && answer=$message || :
fi
# Some shells have no printf of their own, and PATH may have one of the project.
[ -z "$answer" ] || PATH=/usr/bin:/bin printf '%s' "$answer"
exit 0
