import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The image that tests of Docker's sandboxes start from: Debian 12 with the tools that the contract's programs use, no registry needed. */
export const testImage = 'bench-sandbox-test:bookworm'
const packages = ['perl', 'python3', 'procps']

/**
 * Makes sure that `testImage` is on this machine: kept where it is, else built from Debian's packages, which takes half a minute, `debootstrap`
 * and root. Gives null when it is there, or why there is none.
 */
export async function ensureTestImage(say: (line: string) => void = console.info): Promise<string | null> {
  if (!(await works('docker', 'version', '--format', '{{.Server.Version}}'))) return 'Docker does not answer'
  if (await works('docker', 'image', 'inspect', testImage)) return null
  if (process.getuid?.() !== 0 || !(await works('debootstrap', '--version')))
    return `Docker has no image ${testImage}: building it takes root and debootstrap`
  const folder = await mkdtemp(join(tmpdir(), 'bench-base-image-'))
  try {
    say(`building ${testImage} with debootstrap, once on this machine`)
    const root = join(folder, 'root')
    const wanted = ['--variant=minbase', `--include=${packages.join(',')}`, 'bookworm', root]
    await run('debootstrap', wanted, { maxBuffer: 64 * 1024 ** 2 })
    await rm(join(root, 'var', 'cache', 'apt'), { recursive: true, force: true })
    await importFolder(root)
    return null
  } catch (error) {
    return `Docker has no image ${testImage}, and it could not be built: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function importFolder(root: string): Promise<void> {
  const changes = ['ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'CMD ["sh"]']
  const tar = spawn('tar', ['-C', root, '--numeric-owner', '-c', '.'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const docker = spawn('docker', ['import', ...changes.flatMap((one) => ['--change', one]), '-', testImage], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const [[code]] = await Promise.all([once(docker, 'close'), pipeline(tar.stdout, docker.stdin)])
  if (code !== 0) throw new Error(`docker import ended with ${code}`)
}

const works = (program: string, ...args: string[]): Promise<boolean> =>
  run(program, args).then(
    () => true,
    () => false,
  )
