import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { connectEngine } from '../docker/engine.ts'
import { countFileOf, countProcesses } from './count-processes.ts'
import { otherProcesses } from './end-processes.ts'
import { jsonLines } from './json-lines.ts'
import { ensureMachineImage, machineImage } from './testing/machine-image.ts'

const absent = await ensureMachineImage()
const id = 'a'.repeat(64)

test('[MACH54] the count is that of the container’s own control group, and of no other that has the number of its process by chance', () => {
  const older = `12:memory:/docker/${id}\n5:cpu,pids:/docker/${id}\n0::/system\n`
  expect(countFileOf(older, id)).toBe(`/sys/fs/cgroup/pids/docker/${id}/pids.current`)
  expect(countFileOf(`0::/system.slice/docker-${id}.scope\n`, id)).toBe(`/sys/fs/cgroup/system.slice/docker-${id}.scope/pids.current`)
  for (const other of [older.replaceAll(id, 'b'.repeat(64)), `0::/../${id}\n`, `0::/docker/${id}/below\n`, '0::/\n', ''])
    expect([other, countFileOf(other, id)]).toEqual([other, null])
})

test('[MACH54] a machine in which the kernel counts one process is not made to stand still; one with others is, and they are told', {
  timeout: 60_000,
}, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const docker = await connectEngine()
  const label = `count-test=${randomBytes(6).toString('hex')}`
  const listening = new AbortController()
  const events = await docker.getEvents({
    filters: JSON.stringify({ type: ['container'], label: [label], event: ['pause', 'rename'] }),
    abortSignal: listening.signal,
  })
  const settings = { Image: machineImage, Cmd: ['sleep', 'infinity'], Labels: { 'count-test': label.slice(11) } }
  const container = await docker.createContainer({ ...settings, HostConfig: { NetworkMode: 'none' } })
  try {
    await container.start()
    expect((await countProcesses(container)).count).toBe(1)
    expect(await otherProcesses(container)).toEqual([])
    // What is told next of the container shows that nothing was told before.
    await container.rename({ name: `count-test-${label.slice(11)}` })
    const second = await container.exec({ Cmd: ['sh', '-c', 'setsid sleep 91 > /dev/null 2>&1 &'] })
    ;(await second.start({ hijack: true, stdin: false })).resume()
    await expect.poll(() => otherProcesses(container), { timeout: 20_000 }).toEqual(['sleep 91'])
    expect((await countProcesses(container)).count).toBe(2)
    const told: string[] = []
    for await (const line of jsonLines(events)) {
      told.push((line as { Action: string }).Action) // as the engine tells an event
      if (told.length === 2) break
    }
    expect(told).toEqual(['rename', 'pause'])
  } finally {
    listening.abort()
    await container.remove({ force: true, v: true })
  }
})
