import type { Outcome } from '../contract/failure.ts'
import type { Machine } from '../solvers/machine.ts'
import type { Tool, Tools } from '../solvers/machine-sight.ts'
import { machineGone } from './machine-spec.ts'

/** Programs that verifiers start by name, and that are compiled everywhere. `mayBeNew`: people also make scripts of that name, where an image has none. */
const compiled = ['bash', 'sh', 'env', 'cat', 'timeout', 'tmux', 'python3', 'curl', 'git', 'tar', 'cksum'] as const
const mayBeNew = ['python', 'node'] as const
/** Programs that may be scripts: those that Python's installers write for a module of this name. */
const modules: Readonly<Record<string, string>> = { pytest: 'pytest', 'py.test': 'pytest', uv: 'uv', uvx: 'uv', pip: 'pip', pip3: 'pip' }
/** What is loaded into every program, or into every program of Python. */
const preload = '/etc/ld.so.preload'
const customized = [
  '/etc/python3*/sitecustomize.py',
  ...['/usr/lib/python3/dist-packages', '/usr/local/lib/python3*/*-packages', '/root/.local/lib/python3*/site-packages'].flatMap(
    (folder) => [`${folder}/sitecustomize.py`, `${folder}/usercustomize.py`],
  ),
]
/** Where the shell is looked for that looks for the others. The first that is there is looked at from outside, as is what would be loaded into it. */
const folders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'] as const
/** Bytes of a file at an entrance that is read; what is larger is a program. */
const mostAtEntrance = 4096

/** Programs that unpack what a machine is given with a command, and the one that tells their sums. */
const unpackers = ['sh', 'tar', 'cksum'] as const

/**
 * Asks with a clean path where each program is, whether it is a script, and how a script begins, its lines parted by U+001F; the checksum of scripts and of
 * `unpackers`, as that of every program would take longer than all the rest. What is loaded everywhere is told under its own path. Of the folders that it is
 * given it tells those that hold nothing.
 */
const listing = `PATH=${folders.join(':')}:/root/.local/bin
declare -A sums
names=() files=() summed=()
for name in ${[...compiled, ...mayBeNew, ...Object.keys(modules)].join(' ')}; do
  hash "$name" 2> /dev/null && names+=("$name") files+=("\${BASH_CMDS[$name]}")
done
for file in ${[preload, ...customized].join(' ')}; do
  [ -e "$file" ] && names+=("$file") files+=("$file")
done
isScript() {
  IFS= read -r -n 2 first < "$2" 2> /dev/null || first=''
  [ "$first" = '#!' ] || [ "$1" = "$2" ]
}
for at in "\${!names[@]}"; do
  case \${names[at]} in
    ${unpackers.join(' | ')}) summed+=("\${files[at]}") ;;
    *) isScript "\${names[at]}" "\${files[at]}" && summed+=("\${files[at]}") ;;
  esac
done
while read -r sum size file; do sums[$file]=$sum/$size; done < <(cksum "\${summed[@]}" 2> /dev/null)
for at in "\${!names[@]}"; do
  name=\${names[at]} file=\${files[at]} form=program text=''
  if isScript "$name" "$file"; then
    form=script
    IFS= read -r -d '' -n 1200 text < "$file" 2> /dev/null
    text=\${text//$'\\n'/$'\\x1f'}
  fi
  echo "$name $file $form \${sums[$file]} $text"
done
shopt -s dotglob nullglob
for folder; do
  inside=("$folder"/*)
  [ -d "$folder" ] && [ \${#inside[@]} = 0 ] && echo "/ $folder"
done
true`

/** A command for a machine's root, as `sh` takes it, and in words what it does; and folders to tell of whether they are empty. */
type Looked = { first?: { command: string; what: string }; folders?: readonly string[] }
/** Exit code where that has failed, which nobody else gives. */
const failed = 97

/**
 * Looks which tools a machine has, after it has done something else where that is asked for: one command costs more than what it does. Fails where that has
 * failed.
 */
export async function listTools(machine: Machine, { first, folders: asked = [] }: Looked = {}): Promise<Outcome<Tools>> {
  const { command, what } = first ?? { command: 'true', what: 'tell its tools' }
  const whole = `{ ${command}; } >/dev/null || exit ${failed}\nPATH=${folders.join(':')}\nexec "$@"`
  const argv = ['sh', '-c', whole, 'sh', 'bash', '--noprofile', '--norc', '-c', listing, 'bash', ...asked] as const
  const { end, exit_code, head } = await machine.exec({ argv, user: 'root', timeout_ms: 120_000, head_bytes: 200_000, tail_bytes: 0 })
  if (end === 'unavailable') return machineGone('tell its tools', end)
  if (end === 'exited' && exit_code === failed) return machineGone(what, `it was refused: ${new TextDecoder().decode(head).slice(0, 500)}`)
  const seen = await lookAtEntrances(machine)
  if (seen === null) return machineGone('tell its tools', 'unavailable')
  if (end !== 'exited' || exit_code !== 0) return { ok: true, value: { listed: null, entrances: seen, empty: [] } }
  const lines = new TextDecoder().decode(head).split('\n').filter(Boolean)
  const empty = lines.filter((line) => line.startsWith('/ ')).map((line) => line.slice(2))
  const listed = new Map(lines.filter((line) => !line.startsWith('/ ')).map(readLine))
  return { ok: true, value: { listed, entrances: seen, empty } }
}

/** What stands at the entrances, null where the machine is gone. */
async function lookAtEntrances(machine: Machine): Promise<Map<string, string> | null> {
  const seen = new Map<string, string>()
  for (const path of [preload, ...folders.map((folder) => `${folder}/bash`)]) {
    const found = await machine.download(path, mostAtEntrance)
    if (!found.ok && found.reason === 'unavailable') return null
    seen.set(path, found.ok ? `file ${new TextDecoder().decode(found.files[0]?.bytes)}` : found.reason)
    if (path !== preload && seen.get(path) !== 'absent') break
  }
  return seen
}

function readLine(line: string): [string, Tool] {
  const [name = '', file = '', form, sum = '', ...text] = line.split(' ')
  const module = modules[name]
  const wraps = module !== undefined && isWrapper(module, text.join(' ').split('\u001f'))
  return [name, { file, sum, form: form !== 'script' ? 'program' : wraps ? 'wrapper' : 'script' }]
}

const wrapperLines = [
  /^import (?:re|sys|re, sys)$/,
  /^(?:el)?if sys\.argv\[0\]\.endswith\(['"][\w.-]+['"]\):$/,
  /^if __name__ == ['"]__main__['"]:$/,
  /^sys\.argv\[0\] = re\.sub\(r?['"][^'"]*['"], ?(?:''|""), ?sys\.argv\[0\]\)$/,
  /^sys\.argv\[0\] = sys\.argv\[0\](?:\[:-\d+\]|\.removesuffix\(['"][\w.-]+['"]\))$/,
  /^sys\.exit\(\w+\(\)\)$/,
]

/** Whether a script is what installers of Python write to start a module, and nothing else. */
function isWrapper(module: string, [first = '', ...rest]: string[]): boolean {
  const start = new RegExp(`^from _?${module}(?:\\.\\w+)* import \\w+$`)
  const lines = rest.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  const starts = lines.filter((line) => start.test(line)).length
  return (
    /^#!\/\S*python[\d.]*$/.test(first) && starts === 1 && lines.every((line) => [start, ...wrapperLines].some((one) => one.test(line)))
  )
}

/** Whether a machine that somebody worked in still has the `tar` that it began with, so that it may unpack the tests itself. */
export const unpacksAsBefore = (before: Tools, after: Tools): boolean =>
  unpackers.every((name) => {
    const [was, is] = [before.listed?.get(name), after.listed?.get(name)]
    return was?.form === 'program' && was.sum !== '' && is?.file === was.file && is.sum === was.sum
  })

/**
 * Whether programs that tests rely on were replaced while somebody worked: a script in place of a compiled one or before it, a script of another's making,
 * or something that is loaded into every program. A newer program, or what an installer wrote for its module, is none: tasks install those.
 */
export function toolsReplaced(before: Tools, after: Tools): boolean {
  for (const [path, is] of after.entrances) {
    if (is !== before.entrances.get(path) && (is.startsWith('file ') || is === 'unsafe')) return true
  }
  if (!before.listed || !after.listed) return before.listed !== after.listed
  const had = before.listed
  return [...after.listed].some(([name, is]) => {
    const was = had.get(name)
    if (is.form !== 'script' || (was?.file === is.file && was.sum === is.sum)) return false
    if (name.startsWith('/')) return name === preload || (had.has('python3') && (was !== undefined || !name.startsWith('/etc/')))
    return was !== undefined || !(mayBeNew as readonly string[]).includes(name)
  })
}
