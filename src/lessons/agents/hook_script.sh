# Runs the hook of lessons: sourced by the commands in the settings of agents, after `set -- EVENT [AGENT] [beside]`.
# Written by `lessons install`. Whatever happens it exits with 0: some agents deny a call on any other exit code.
# Every list ends in a command that succeeds, so that a shell with errexit still reaches `exit 0`.

# A shell that cannot fork exits with 2. One without a reader is killed; bash kills itself if Python was interrupted.
trap 'exit 0' EXIT
trap '' PIPE
trap : INT
# A project may set variables for its sessions (`.env`): they must not lead the hook to other lessons.
LESSONS_HOME=<home>
export LESSONS_HOME
python=<python>
entry=<entry>
worker=<worker>

# Beside a resident server: exits at once while the process named in the server's file is alive. On Linux, a killed
# process and one that is not a child of the client count as gone: the first still answers signals until its parent has
# collected it, the second has reused the process id of an old server.
if [ "${3-}" = beside ]; then
  # A shell that redirects its own streams needs file numbers from 10 on. Without them busybox exits with 1 and runs no
  # trap. These quotes and no version tell it from the usual shells.
  case $'few'${BASH_VERSION-}${ZSH_VERSION-} in
  few) case $(ulimit -n) in [0-9] | 1[0-3]) exit 0 ;; esac ;;
  esac
  server=
  [ -r "$LESSONS_HOME/warm/$PPID" ] && eval '{ read -r server <"$LESSONS_HOME/warm/$PPID"; } 2>/dev/null' || :
  if [ -n "$server" ]; then
    state=
    eval '{ read -r state <"/proc/$server/stat"; } 2>/dev/null' || :
    case $state in
    *") Z "*) ;;
    *") "?" $PPID "*) exit 0 ;;
    "") eval 'kill -0 "$server" 2>/dev/null' && exit 0 ;;
    esac
  fi
fi

agent=${2-}
mark=$LESSONS_HOME/fired/cannot-start.$PPID
message="{\"systemMessage\":\"<problem>: run \`lessons install${agent:+ --agent $agent}\` again.\"}"
run='"$python" -I -S "$entry" "$@"'
case $agent in
# It waits until no process has its streams, and a Python that hangs may outlive this shell.
<waiting>) run="exec $run 2>/dev/null" ;;
esac
set -- "$1" ${agent:+--agent} ${agent:+"$agent"}
# These events start background work, with an interpreter that has all dependencies of the package.
case $1 in
<starting>) set -- "$@" --python "$worker" --client "$PPID" ;;
<working>) set -- "$@" --python "$worker" ;;
esac

# zsh exits at once, without a trap, when it cannot fork or redirect, unless that happens in `eval` (and for a fork in
# a command substitution). An answer is buffered anyway, because only an empty one may be replaced by the report.
answer=
[ -x "$python" ] && [ -r "$entry" ] && eval "answer=\$($run)" || [ -n "$answer" ] ||
  case $1 in
  # A session start always informs the user, other events once per client, whose process is the parent of every hook:
  # the hook that creates the file reports; if it cannot be created, none does, rather than each call.
  SessionStart)
    eval 'answer=$({ : >"$mark"; } 2>/dev/null)' || :
    answer=$message
    ;;
  PreCompact) ;; # its whole output goes to the summarising model
  *) eval 'answer=$({ set -C; : >"$mark"; } 2>/dev/null)' && answer=$message || : ;;
  esac
# Some shells have no printf of their own, and PATH may lead to one of the project.
[ -z "$answer" ] || PATH=/usr/bin:/bin printf %s "$answer" || :
exit 0
