# Sourced by hook.sh when a session starts: answers like any event, and sees to it that lessons gets installed.
# The installation of an older version serves until that of this one is ready; nothing here waits for it.

message='' wanted='' failure='' told=''
if [ -n "$works" ]; then
  eval 'answer=$("$python" -I -S "$entry" "$event" --python "$own_python" --client "$PPID" --plugin ${agent:+--agent} $agent)' ||
    [ -n "$answer" ] || works=''
fi
while IFS= read -r line; do
  case $line in
  *'"version": "'*) wanted=${line#*'"version": "'} wanted=${wanted%%'"'*} ;;
  esac
done <"$CLAUDE_PLUGIN_ROOT/.claude-plugin/plugin.json"

if [ -z "$data" ]; then
  message='lessons cannot be set up, because this Claude Code gives plugins no folder for their data: update it.'
elif [ -d "$data" ] && ! [ -w "$data" ]; then
  message='lessons cannot be set up, because its folder in plugins/data of Claude Code cannot be written: allow that.'
elif [ -z "$works" ] || [ "$version" != "$wanted" ]; then
  [ -r "$data/failed" ] && IFS= read -r failure <"$data/failed"
  [ -r "$data/told" ] && IFS= read -r told <"$data/told"
  if [ -n "$failure" ] && [ "$failure" != "$told" ]; then
    message=$failure
    PATH=/usr/bin:/bin printf '%s\n' "$failure" >"$data/told"
  elif [ -z "$failure" ] && [ -n "$version" ] && [ -z "$works" ]; then
    message='The installation of lessons is gone or broken. It is set up again in the background.'
  elif [ -z "$failure" ] && [ -z "$works" ]; then
    message='lessons is being set up in the background and acts in a moment. This session need not wait for it.'
  fi
  # No program is looked up in the PATH of the session, which may lead to programs of the project.
  eval 'started=$(
    (
      trap "" HUP
      detach=$(command -pv setsid) || detach=""
      exec $detach /bin/sh "$CLAUDE_PLUGIN_ROOT/setup/setup.sh"
    ) </dev/null >/dev/null 2>&1 &
  )' || :
fi

# Which clients were told that the hook cannot start: this one is now, and once it works any may be told anew.
if [ -n "$works" ]; then
  [ -z "${ZSH_VERSION-}" ] || unsetopt NOMATCH
  for mark in "$data"/cannot-start.*; do
    [ -e "$mark" ] && eval 'removed=$(command -p rm -f "$mark" 2>/dev/null)' || :
  done
elif [ -n "$version" ]; then
  eval 'marked=$({ : >"$data/cannot-start.$PPID"; } 2>/dev/null)' || :
fi

if [ -z "$answer" ] && [ -n "$message" ]; then
  answer="{\"systemMessage\":\"$message\"}"
elif [ -n "$message" ]; then
  answer="{\"systemMessage\":\"$message\",${answer#?}"
fi
