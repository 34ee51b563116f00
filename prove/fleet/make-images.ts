import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DebianImage, importFolder, makeDebianImage, missingForImages, works } from '#fleet/images/debian-image.ts'
import { programsImage, readProgramsImage } from '#fleet/images/programs-image.ts'
import { machineImage } from '#fleet/machine/testing/machine-image.ts'
import { ensureImage } from '#fleet/sandbox/docker/testing/base-image.ts'
import { execute, root } from '../image/docker.ts'

/**
 * Stands in for `docker:dind`: Debian with its engine and what that uses. The proof gives it an
 * entry script.
 */
const engineImage: DebianImage = {
  name: 'bench-engine-test:bookworm',
  packages: ['ca-certificates', 'docker.io', 'iptables', 'procps'],
  changes: ['ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'CMD ["sh"]'],
}

export type FleetImages = { agent: string; engine: string; programs: string; tasks: string }

/**
 * Makes the images of the fleet without a registry; all but the agent's are kept from one proof to
 * the next. Throws with what is missing.
 */
export async function makeImages(say: (line: string) => void): Promise<FleetImages> {
  const missing = await missingForImages()
  if (missing !== null) throw new Error(`The images of the fleet cannot be made here: that takes ${missing}.`)
  if (!(await works('docker', 'image', 'inspect', engineImage.name))) await makeDebianImage(engineImage, say)
  if (!(await works('docker', 'image', 'inspect', programsImage))) await makeDebianImage(readProgramsImage(), say)
  const absent = await ensureImage({ name: machineImage, packages: [], changes: [] }, say)
  if (absent !== null) throw new Error(absent)
  const agent = `bench-agent-test:${process.pid}`
  await makeAgentImage(agent, say)
  return { agent, engine: engineImage.name, programs: programsImage, tasks: machineImage }
}

/**
 * Makes the agent's image by the commands of `fleet/Dockerfile`, on this machine in place of a
 * build stage.
 */
async function makeAgentImage(name: string, say: (line: string) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-agent-image-'))
  try {
    say(`making ${name}`)
    const image = join(folder, 'image')
    await mkdir(image)
    await execute('sh', ['fleet/package/image-root.sh', process.execPath, image])
    await execute(process.execPath, ['fleet/package/pack.ts'])
    await cp(join(root, 'dist', 'cli'), join(image, 'app'), { recursive: true })
    await mkdir(join(image, 'data'), { mode: 0o700 })
    await execute('chown', ['1000:1000', join(image, 'data')])
    await importFolder(image, name, [
      'USER 1000:1000',
      'ENV NODE_ENV=production BENCH_DATA=/data HOME=/data',
      'VOLUME /data',
      'WORKDIR /data',
      'ENTRYPOINT ["/usr/bin/node", "/app/bench.mjs"]',
      'CMD ["agent"]',
      'HEALTHCHECK --interval=1s --timeout=10s --start-period=20s --retries=2 CMD ["/usr/bin/node", "/app/bench.mjs", "agent", "--health"]',
    ])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
