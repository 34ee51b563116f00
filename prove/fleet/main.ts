import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { docker } from '../image/docker.ts'
import { checkServers } from './check-servers.ts'
import { findCompose } from './make-compose.ts'
import { makeImages } from './make-images.ts'
import { playFleet } from './play.ts'

/**
 * Proves `fleet.compose.yml` with the profile `full` on this machine, without a registry; exit code
 * 1 where anything is not as it should be.
 */
const began = performance.now()
const say = (line: string): void => console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}`)
const servers = await checkServers(say)
const program = await findCompose(say)
const images = await makeImages(say)
const dir = mkdtempSync(join(tmpdir(), 'bench-fleet-'))
try {
  const breaches = [...servers, ...(await playFleet({ dir, images, program, say }))]
  for (const breach of breaches) say(`not as it should be: ${breach}`)
  if (breaches.length === 0) say('all as it should be')
  process.exitCode = breaches.length === 0 ? 0 : 1
} finally {
  await docker('image', 'rm', '--force', images.agent)
  if (process.exitCode === 0) rmSync(dir, { recursive: true, force: true })
  else say(`what was written is in ${dir}`)
}
