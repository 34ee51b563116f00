import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Throws with the last that the program said: what it says before fills pages. */
async function run(program: string, args: readonly string[]): Promise<void> {
  await execute(program, [...args], { maxBuffer: 64 * 1024 ** 2 }).catch((error: Error & { stdout?: string; stderr?: string }) => {
    const said = `${error.stdout ?? ''}\n${error.stderr ?? ''}`.trim().split('\n').slice(-3).join(' | ')
    throw new Error(`${program} failed: ${said.slice(-500)}`, { cause: error })
  })
}

/** Whether a program ends well, and is there at all. */
export const works = (program: string, ...args: string[]): Promise<boolean> =>
  run(program, args).then(
    () => true,
    () => false,
  )

/** An image to be made: its name, Debian packages (`name` or `name=version`, as apt-get takes them), and what `docker import --change` is told of it. */
export type DebianImage = { name: string; packages: readonly string[]; changes: readonly string[] }

const release = 'bookworm'
const sources = ['', '-updates']
  .map((suite) => `deb http://deb.debian.org/debian ${release}${suite} main\n`)
  .concat(`deb http://deb.debian.org/debian-security ${release}-security main\n`)
  .join('')
/** What an image does not need of what apt leaves. */
const leftovers = ['var/cache/apt', 'var/lib/apt/lists', 'var/log']

/** Why no image can be made here, in words that follow "making it takes"; null: one can. */
export async function missingForImages(): Promise<string | null> {
  return process.getuid?.() === 0 && (await works('debootstrap', '--version')) ? null : 'root and debootstrap'
}

/** Makes an image of Debian's packages without a registry: debootstrap, apt-get in what it made, docker import. Takes root. Throws with what failed. */
export async function makeDebianImage({ name, packages, changes }: DebianImage, say: (line: string) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-image-'))
  try {
    const root = join(folder, 'root')
    say(`making ${name} with debootstrap: Debian ${release} and ${packages.length} packages`)
    await run('debootstrap', ['--variant=minbase', release, root])
    await writeFile(join(root, 'etc/apt/sources.list'), sources)
    const inside = (...argv: string[]) =>
      run('chroot', [root, 'env', 'DEBIAN_FRONTEND=noninteractive', 'LC_ALL=C', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', ...argv])
    await inside('apt-get', 'update', '-qq')
    await inside('apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...packages)
    for (const path of leftovers) await rm(join(root, path), { recursive: true, force: true })
    say(`importing ${name} into Docker`)
    await importFolder(root, name, changes)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Imports a folder as the only layer of an image. `changes`: lines of a Dockerfile. */
export async function importFolder(root: string, name: string, changes: readonly string[]): Promise<void> {
  const tar = spawn('tar', ['-C', root, '--numeric-owner', '-c', '.'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const docker = spawn('docker', ['import', ...changes.flatMap((one) => ['--change', one]), '-', name], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const [[code]] = await Promise.all([once(docker, 'close'), pipeline(tar.stdout, docker.stdin)])
  if (code !== 0) throw new Error(`docker import ended with ${code}`)
}
