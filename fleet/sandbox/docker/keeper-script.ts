/**
 * The first program of a container: for every line that it reads, `all N` or `kills N`, it says which processes of the programs' user there are,
 * as `p PID PARENT`, how often one was killed for want of memory, as `kills NUMBER`, and then `end N`. It starts no process for that, so that it
 * answers also where no more can be. It ends with its input.
 */
export const keeperScript = `exec 2>/dev/null
while read -r ask number; do
  if [ "$ask" = all ]; then
    for place in /proc/[0-9]*; do
      parent= uid=
      while read -r key value rest; do
        case $key in PPid:) parent=$value ;; Uid:) uid=$value; break ;; esac
      done < "$place/status"
      if [ "$uid" = 65534 ]; then echo "p \${place#/proc/} $parent"; fi
    done
  fi
  for file in /sys/fs/cgroup/memory/memory.oom_control /sys/fs/cgroup/memory.events; do
    if [ -r $file ]; then
      while read -r key value; do if [ "$key" = oom_kill ]; then echo "kills $value"; fi; done < $file
    fi
  done
  echo "end $number"
done`

/** Ends processes: reads lines of their numbers, or `-1` for all that it may, and says `done` after each. First it tells its own number. */
export const enderScript = `exec 2>/dev/null
trap '' HUP INT TERM
echo $$
while read -r numbers; do kill -9 $numbers; echo done; done`

/**
 * Runs a command as `MARK DIRECTORY COMMAND…`: says on its standard error its own number first and how the command ended last, each after the
 * mark. `d`: there is no such directory or program. What the command leaves behind stays below it (`docker-init -s`) while it runs, and it is
 * what the kernel takes first when memory is short. A signal meant for all that may be signalled does not end the runner.
 */
export const runnerScript = `trap : HUP INT TERM
printf '%s %s\\n' "$0" $$ >&2
{ echo 500 > /proc/self/oom_score_adj; } 2>/dev/null
cd -- "$1" 2>/dev/null || { printf '%s d\\n' "$0" >&2; exit 0; }
shift
/sbin/docker-init -s -- /bin/sh -c 'trap "printf \\"%s d\\\\n\\" $1 >&2" EXIT; shift; exec "$@"' run "$0" "$@"
printf '%s e %s\\n' "$0" $? >&2`
