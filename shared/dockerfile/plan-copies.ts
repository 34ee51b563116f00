import { addressProblem, fileNameOf, isAddress } from './build-address.ts'
import type { StageWork } from './plan-stages.ts'
import { type Flag, type Heredoc, type Instruction, readList } from './read-dockerfile.ts'
import { fillVariables } from './words.ts'

const known: Readonly<Record<string, readonly string[]>> = {
  COPY: ['from', 'chown', 'chmod', 'link'],
  ADD: ['chown', 'chmod', 'link', 'checksum'],
}

/**
 * The lines in place of a COPY or ADD. Files of here-documents and of addresses come from the image of files; a source of ADD begins with `./`, so that no builder
 * takes it for an address, whatever its variables are.
 */
export function createCopies({ name, line, flags, rest, heredocs }: Instruction, work: StageWork): string[] {
  const { refuse } = work
  for (const flag of flags) if (!known[name]!.includes(flag.name)) refuse(line, `${name} --${flag.name} is not built here: leave it out`)
  const list = rest.startsWith('[') ? readList(rest) : null
  const words = list ?? rest.split(/\s+/)
  const dest = words.at(-1) ?? ''
  const local: string[] = []
  const brought: string[] = []
  for (const source of words.slice(0, -1)) {
    const heredoc = heredocs.find((one) => one.word === source)
    if (heredoc) brought.push(...textFile(heredoc, line, work))
    else if (name === 'COPY') local.push(source)
    else {
      const found = addressOf(source, dest, { line, flags }, work)
      if (found === 'local') local.push(`./${source}`)
      else if (found !== null) brought.push(found)
    }
  }
  const owner = flags.filter((flag) => flag.name === 'chown' || flag.name === 'chmod')
  if (owner.some((flag) => flag.name === 'chmod')) work.needsBuildKit()
  const from = flags.find((flag) => flag.name === 'from')
  const place = from && work.sourceOf(from.value, line)
  const write = (sources: readonly string[], verb: string, more: readonly Flag[]): string[] => {
    if (sources.length === 0) return []
    const told = [...owner, ...more].map((flag) => `--${flag.name}=${flag.value}`)
    const places = list ? JSON.stringify([...sources, dest]) : [...sources, dest].join(' ')
    return [[verb, ...told, places].join(' ')]
  }
  return [
    ...write(local, name, from ? [{ name: 'from', value: place ?? from.value }] : []),
    ...write(brought, 'COPY', [{ name: 'from', value: work.given.files_image }]),
  ]
}

/** Adds a here-document to the files; gives where it stands. */
function textFile({ name, text, expands }: Heredoc, line: number, { scope, files, refuse }: StageWork): string[] {
  const filled = expands ? fillVariables(text, scope.variables(), { escapeMark: '\\', quotes: false }) : null
  if (filled?.ok === false) {
    refuse(line, `the here-document ${name}: ${filled.text}`)
    return []
  }
  const path = `/${files.length}/${name.replaceAll(/[^\w.-]/g, '_')}`
  files.push({ path, from: 'text', text: filled?.text ?? text })
  return [path]
}

/** Adds what an ADD fetches to the files and gives where it stands; `local`: it is of the build's folder. Null: it is refused, or not known yet. */
function addressOf(
  source: string,
  dest: string,
  { line, flags }: Pick<Instruction, 'line' | 'flags'>,
  { scope, files, refuse }: StageWork,
): string | 'local' | null {
  const filled = scope.fill(source)
  const checksum = flags.find((flag) => flag.name === 'checksum')
  const sum = checksum && scope.fill(checksum.value)
  if (!filled.ok || sum?.ok === false) {
    refuse(line, `ADD ${source.slice(0, 200)}: ${filled.ok ? 'its checksum cannot be read' : filled.text}`)
    return null
  }
  const address = filled.text
  if (!isAddress(address)) {
    if (checksum) refuse(line, `ADD --checksum is for addresses, and ${source.slice(0, 200)} is none`)
    return filled.unknown.length > 0 ? null : 'local'
  }
  const why = addressProblem(address)
  const name = why === null ? fileNameOf(address) : null
  if (why !== null) refuse(line, `ADD ${address.slice(0, 200)}: ${why}`)
  else if (name === null && dest.endsWith('/'))
    refuse(line, `ADD ${address.slice(0, 200)}: no file is named there, so that the place must be one`)
  if (why !== null) return null
  const wanted = sum?.text ?? null
  if (wanted !== null && !/^sha256:[0-9a-f]{64}$/.test(wanted)) refuse(line, 'ADD --checksum is sha256: and 64 digits')
  const path = `/${files.length}/${(name ?? 'file').replaceAll(/[\s$"'\\`*?[\]]/g, '_')}`
  files.push({ path, from: 'address', line, url: address, checksum: wanted })
  return path
}
