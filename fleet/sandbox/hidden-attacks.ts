import { type Attack, exited, sh } from './attacks.ts'
import { searchScript } from './planted-canary.ts'

/** Words of a catalogue of tasks that stand beside its answers; a pattern, so that no program finds itself. */
const answerWords = '"expected":.*"reference["]'

/** Attacks on what decides a score: the program with its catalogues, the agent's data, caches and bundles. */
export const hiddenAttacks: readonly Attack[] = [
  {
    row: 13,
    name: 'program, data and caches of the agent, by path, name, size and content',
    program: ({ planted }, _, kind) => sh(`{ ${searchScript(planted, kind === 'bwrap')}\n} | grep -v '^searched$' | sed 's/^/OPEN /'`),
    ends: exited,
  },
  {
    row: 13,
    name: 'answers in installed packages, caches and archives',
    program: () =>
      sh(`for d in / /opt /srv /app /usr/src /usr/local/src /usr/local/etc /usr/games /var/cache /root /home/*; do
find "$d" -maxdepth 6 -xdev -name "*.jsonl" -exec grep -l '${answerWords}' {} + 2>/dev/null | sed "s/^/OPEN /"; done
find /usr \\( -name "_npx" -o -name "_cacache" -o -name "benchmark_results_*" -o -name "chutes-bench*" \\) 2>/dev/null | while read -r f; do ls -A "$f" 2>/dev/null | grep -q . && echo "OPEN $f"; done
find /usr -path "*/nodejs/*" -prune -o -type f -name "*.jsonl" -size +20k -exec grep -l '${answerWords}' {} + 2>/dev/null | sed "s/^/OPEN /"`),
    ends: exited,
  },
  {
    row: 15,
    name: 'files of the agent by its descriptors and roots, in /proc, /dev and /sys',
    program: ({ planted: { word, name } }) => {
      const [head, tail] = [word.slice(0, -1), word.slice(-1)]
      return sh(`for r in /proc/[0-9]*/root /proc/[0-9]*/cwd /proc/[0-9]*/fd/* /dev/fd/* /dev/shm /dev/mqueue /sys; do
find "$r" -maxdepth 2 -name "${name.slice(0, -1)}[${name.slice(-1)}]" 2>/dev/null | sed "s/^/OPEN /"; done
for f in /proc/[0-9]*/fd/* /proc/[0-9]*/environ /proc/[0-9]*/cmdline /proc/[0-9]*/mountinfo /dev/shm/* /dev/mqueue/*; do
[ -f "$f" ] && head -c 100000 "$f" 2>/dev/null | grep -q "${head}[${tail}]" && echo "OPEN $f"; done`)
    },
    ends: exited,
  },
]
