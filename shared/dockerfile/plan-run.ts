import type { StageWork } from './plan-stages.ts'
import type { Flag, Heredoc, Instruction } from './read-dockerfile.ts'

/** Runs a script with a first line of its own: it is put where Docker puts it, or where its user may write. `$0` is the script. */
const runScript = `d=/dev/pipes; mkdir -p "$d" 2>/dev/null || d=$(mktemp -d); printf %s "$0" > "$d/script" && chmod 755 "$d/script" && "$d/script"
status=$?; rm -rf "$d"; exit $status`

/** The line in place of a RUN: here-documents are handed to the shell, mounts take from what was had before, and no command has its host's network. */
export function plannedRun({ line, flags, rest, heredocs }: Instruction, work: StageWork): string[] {
  const mounts = flags.flatMap((flag) => keptFlag(flag, line, work))
  if (mounts.length > 0) work.needsBuildKit()
  const command =
    heredocs.length > 0
      ? JSON.stringify(scriptOf(rest, heredocs, work.scope.shell))
      : rest.endsWith(work.escapeMark) && !rest.startsWith('[')
        ? JSON.stringify([...work.scope.shell, rest])
        : rest
  return [['RUN', ...mounts, command].join(' ')]
}

/** What is run for here-documents. Source: Docker's Dockerfile reference, "Here-Documents": one alone is the script, others are the shell's to read. */
function scriptOf(rest: string, heredocs: readonly Heredoc[], shell: readonly string[]): string[] {
  const [first] = heredocs
  if (first && heredocs.length === 1 && rest === first.word)
    return first.text.startsWith('#!') ? ['/bin/sh', '-c', runScript, first.text] : [...shell, first.text]
  return [...shell, `${rest}\n${heredocs.map(({ raw, name }) => `${raw}${name}`).join('\n')}\n`]
}

function keptFlag({ name, value }: Flag, line: number, work: StageWork): string[] {
  if (name === 'mount') return keptMount(value, line, work)
  const plain = name === 'network' ? ['default', 'none'] : name === 'security' ? ['sandbox'] : []
  if (!plain.includes(value)) work.refuse(line, `RUN --${name}=${value.slice(0, 100)} is not built here: leave it out`)
  return []
}

/** Kinds of mounts; of those that stand for nothing here, a secret and a socket of keys, none is made. */
const kinds = ['bind', 'cache', 'tmpfs', 'secret', 'ssh']

function keptMount(value: string, line: number, { given, scope, sourceOf, refuse, needsBuildKit }: StageWork): string[] {
  const fields = fieldsOf(value)
  const of = (...names: string[]): string | undefined => fields.find(([name]) => names.includes(name))?.[1]
  const kind = of('type') ?? 'bind'
  if (!kinds.includes(kind)) {
    refuse(line, `RUN --mount=type=${kind.slice(0, 100)} is not built here`)
    return []
  }
  if (kind === 'secret' || kind === 'ssh') {
    if (['true', '1', ''].includes(of('required') ?? 'false')) refuse(line, `RUN --mount=type=${kind}: there is none that could be given`)
    return []
  }
  const from = of('from')
  const place = from === undefined ? null : sourceOf(from, line)
  const target = scope.fill(of('target', 'dst', 'destination') ?? '')
  // A cache belongs to this image alone: what one task leaves in it is not another's.
  const id = `${given.files_image}/${of('id') ?? (target.ok ? target.text : '')}`
  const told = fields.filter(([name]) => name !== 'from' && !(kind === 'cache' && name === 'id'))
  const own = [...(from === undefined ? [] : [['from', place ?? from]]), ...(kind === 'cache' ? [['id', id]] : [])]
  needsBuildKit()
  return [`--mount=${[...told, ...own].map(([name, text]) => fieldText(name!, text!)).join(',')}`]
}

/** The fields of a mount: `name=value` between commas, whole fields in double quotes as in CSV. */
function fieldsOf(value: string): [string, string][] {
  const fields = value.match(/(?:"(?:[^"]|"")*"|[^,])+/g) ?? []
  return fields.map((field) => {
    const plain = field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field
    const [, name = '', text = ''] = /^([^=]*)=?([\s\S]*)$/.exec(plain.trim()) ?? []
    return [name.toLowerCase(), text]
  })
}

const fieldText = (name: string, text: string): string => {
  const field = text === '' ? name : `${name}=${text}`
  return /[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}
