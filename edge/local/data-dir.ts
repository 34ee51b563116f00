import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'

/** Layout of the data directory; a directory of a later layout is refused, never guessed at. */
const layout = 1

/** Ends the start with one sentence that says what to do; nothing has been changed. */
export class CannotStart extends Error {}

const Secrets = z.object({
  layout: z.int(),
  agent_token: z.string().min(16),
  /** 32 bytes in base64: seals provider keys. */
  master_key: z.string().min(43),
  /** 32 bytes in base64: Ed25519 seed that signs exports. */
  signing_seed: z.string().min(43),
  admin_secret: z.string().min(16),
})
export type Secrets = z.infer<typeof Secrets>

/** Never deleted by `--fresh`: the running supervisor's lock and downloads that are checked by hash anyway. */
const kept = ['supervisor.lock', 'cache']
/** Made before `--fresh` looks, also in a directory that has never been started in. */
const madeBeforeConsent = ['logs']

/**
 * Deletes what earlier starts left in `dir` once `consent` has agreed to the sentence that names it. Refuses a directory that was not made by
 * us; without consent it throws and nothing is deleted.
 */
export async function clearDataDir(dir: string, consent: (sentence: string) => Promise<boolean>): Promise<void> {
  const names = readdirSync(dir).filter((name) => !kept.includes(name) && !name.startsWith('supervisor.lock.'))
  if (!names.includes('secrets.json')) {
    if (names.every((name) => madeBeforeConsent.includes(name))) return
    throw new CannotStart(`--fresh refuses to delete ${dir}: it has no secrets.json, so it is not one of our data directories.`)
  }
  const what = `--fresh deletes in ${dir}: ${names.join(', ')}. With them go all runs, results and keys, and the key that signs exports.`
  if (!(await consent(what))) throw new CannotStart('Nothing was deleted. Start with --fresh --yes to delete without being asked.')
  // secrets.json goes last, so that an interrupted deletion can be repeated.
  for (const name of names.filter((name) => name !== 'secrets.json')) rmSync(join(dir, name), { recursive: true, force: true })
  rmSync(join(dir, 'secrets.json'))
}

/** Where a service keeps the bundled programs of the fleet that it runs. */
export const fleetDir = (dataDir: string): string => join(dataDir, 'fleet')
/** The file of such a program. */
export const fleetProgram = (dataDir: string, name: 'agent' | 'demo-model' | 'describe-machine'): string =>
  join(fleetDir(dataDir), `${name}.mjs`)

export function createDataDir(dir: string): void {
  createFolder(join(dir, 'logs'))
}

/** Folder by folder: of a read-only file system Node's recursive form says that there is no such file. */
function createFolder(path: string): void {
  if (isFolder(path)) return
  if (dirname(path) !== path) createFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!isFolder(path)) throw error // else somebody else made it meanwhile
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Reads the secrets of a data directory, or makes them once. A file that does not read is an error, never replaced. */
export function openSecrets(dir: string, say: (line: string) => void): Secrets {
  const path = join(dir, 'secrets.json')
  if (!existsSync(path)) {
    if (existsSync(join(dir, 'postgres')))
      say(`${path} was missing: made new secrets; provider keys sealed before cannot be opened any more`)
    const secrets = newSecrets()
    writeFileSync(path, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    return secrets
  }
  chmodSync(path, 0o600)
  return readSecrets(path)
}

function readSecrets(path: string): Secrets {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new CannotStart(`${path} cannot be read; restore it from a backup, or move it away to start with new secrets.`, { cause })
  }
  const parsed = z.object({ layout: z.int() }).safeParse(json)
  if (parsed.success && parsed.data.layout > layout) {
    throw new CannotStart(
      `${path} was written by a newer version (layout ${parsed.data.layout}); start that version, or use another BENCH_DATA.`,
    )
  }
  const secrets = Secrets.safeParse(json)
  if (secrets.success) return secrets.data
  const missing = secrets.error.issues.map((issue) => issue.path.join('.')).join(', ')
  throw new CannotStart(`${path} lacks ${missing}; restore it from a backup, or move it away to start with new secrets.`)
}

function newSecrets(): Secrets {
  return {
    layout,
    agent_token: `agt_${randomBytes(24).toString('hex')}`,
    master_key: randomBytes(32).toString('base64'),
    signing_seed: randomBytes(32).toString('base64'),
    admin_secret: randomBytes(24).toString('hex'),
  }
}
