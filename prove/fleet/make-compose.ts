import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod'
import { works } from '#fleet/images/debian-image.ts'
import { root } from '../image/docker.ts'

const run = promisify(execFile)

/** The version of Compose that is built where a machine has none. */
const compose = { module: 'github.com/docker/compose/v2', version: 'v2.40.3' }
/** Where it is kept; `.gitignore` names the folder. */
const built = join(root, '.cache', `docker-compose-${compose.version}`)

/**
 * Finds Docker Compose: the plugin, the program `docker-compose`, or one built of its Go module,
 * which takes some minutes once. Gives the program with its first words. Throws where this machine
 * has none and no Go.
 */
export async function findCompose(say: (line: string) => void): Promise<readonly string[]> {
  if (await works('docker', 'compose', 'version')) return ['docker', 'compose']
  if (await works('docker-compose', 'version')) return ['docker-compose']
  if (!existsSync(built)) await buildCompose(say)
  return [built]
}

const Downloaded = z.object({ Dir: z.string() })

/**
 * The module has `replace` lines, so that `go install` refuses it: it is built in a copy of its
 * source.
 */
async function buildCompose(say: (line: string) => void): Promise<void> {
  const go = (args: readonly string[], cwd: string) =>
    run('go', [...args], {
      cwd,
      env: { ...process.env, HOME: homedir(), CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false' },
      maxBuffer: 64 * 1024 ** 2,
    })
  if (!(await works('go', 'version'))) throw new Error('Docker Compose is not here, and neither is Go to build it with.')
  say(`building Docker Compose ${compose.version} of its Go module`)
  const source = join(tmpdir(), `bench-compose-${process.pid}`)
  try {
    const { stdout } = await go(['mod', 'download', '-json', `${compose.module}@${compose.version}`], tmpdir())
    await cp(Downloaded.parse(JSON.parse(stdout)).Dir, source, { recursive: true })
    await run('chmod', ['-R', 'u+w', source])
    await mkdir(join(root, '.cache'), { recursive: true })
    const version = `-s -w -X ${compose.module}/internal.Version=${compose.version}`
    await go(['build', '-trimpath', '-ldflags', version, '-o', built, './cmd'], source)
  } finally {
    await rm(source, { recursive: true, force: true })
  }
}
