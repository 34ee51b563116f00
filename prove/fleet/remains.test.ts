import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { ensureTestImage, testImage } from '#fleet/sandbox/docker/testing/base-image.ts'
import { docker } from '../image/docker.ts'
import { findRemains, whatIsHeld } from './remains.ts'

const absent = await ensureTestImage()

test('[FLEETUP4] the proof sees containers with all rights or the host’s engine, and what a project leaves', {
  timeout: 60_000,
}, async (context) => {
  context.skip(absent !== null, String(absent))
  const project = `bench-remains-${randomBytes(4).toString('hex')}`
  const label = `com.docker.compose.project=${project}`
  const created: string[] = []
  const create = async (...options: string[]): Promise<void> => {
    created.push(await docker('create', '--network', 'none', '--label', label, ...options, testImage, 'sleep', '600'))
  }
  try {
    await docker('volume', 'create', '--label', label, `${project}_data`)
    await create('--name', `${project}-a`, '--volume', `${project}_data:/data`)
    expect(await whatIsHeld(project)).toEqual({ containers: created, foreignSockets: [] })
    await create('--name', `${project}-b`, '--privileged')
    await create('--name', `${project}-c`, '--volume', '/var/run/docker.sock:/var/run/docker.sock')
    const held = await whatIsHeld(project)
    expect(held.foreignSockets.toSorted()).toEqual([`/${project}-b is privileged`, `/${project}-c has the host's engine`])
    await docker('start', created[0]!)
    const { running, volumes } = await findRemains(project, held)
    expect(volumes).toEqual([`${project}_data`])
    const said = running.join('\n')
    for (const name of ['a', 'b', 'c']) expect(said).toContain(`the container ${project}-${name} is left`)
    expect(said).toMatch(/process \d+ is left/)
    await docker('rm', '--force', ...created)
    await docker('volume', 'rm', `${project}_data`)
    expect(await findRemains(project, held)).toEqual({ running: [], volumes: [] })
  } finally {
    for (const id of created) await docker('rm', '--force', id).catch(() => undefined)
    await docker('volume', 'rm', '--force', `${project}_data`).catch(() => undefined)
  }
})
