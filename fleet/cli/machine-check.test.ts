import { expect, test } from 'vitest'
import type { MachineHost } from '#fleet/machine/machine-host.ts'
import { checks, lookAt } from './checks.ts'
import { describeEngine, machineCheck, machineTriedOnce } from './machine-check.ts'

const never = () => Promise.reject(new Error('unused'))
function host(changes: Partial<MachineHost> = {}, probe: () => Promise<string> = never): MachineHost {
  return {
    absence: () => null,
    fix: 'see that docker info works',
    create: never,
    probe: { kind: 'machine', probed: '', pool: null, probe },
    ...changes,
  }
}
const engine = {
  Driver: 'overlay2',
  DriverStatus: [['Backing Filesystem', 'extfs']],
  CgroupVersion: '1',
  name: null,
  networks: ['none', 'host'],
}

test('[CLI370] doctor tells of an engine its version, storage, disk limits, networks and builder, and names an old one', () => {
  const old = describeEngine({ ...engine, version: '20.10.24+dfsg1', buildKit: true })
  for (const part of [
    'Docker 20.10.24+dfsg1',
    'overlay2 on extfs',
    'no disk limits (watched',
    'no network: tasks that need one fail',
    ', BuildKit',
    'old: versions before 25',
  ])
    expect(old).toContain(part)
  const fresh = {
    ...engine,
    DriverStatus: [['Backing Filesystem', 'xfs']],
    networks: ['bridge', 'none'],
    version: '29.0.1',
    name: 'tcp://box:2375',
    buildKit: false,
  }
  const told = describeEngine(fresh)
  for (const part of [
    'Docker 29.0.1 at tcp://box:2375',
    'disk limits with pquota',
    'networks: bridge',
    'no BuildKit: Dockerfiles with heredocs',
  ])
    expect(told).toContain(part)
  expect(told).not.toContain('old:')
})

test('[CLI370] where environments are not ready doctor says why, what for and what to do', async () => {
  const absent = { why: 'Docker does not run here', fix: 'install Docker' }
  expect(await lookAt(machineCheck(host({ absence: () => absent })))).toMatchObject({
    name: 'environments',
    ok: false,
    detail: absent.why,
    fix: absent.fix,
  })
  const broken = machineTriedOnce(host({}, () => Promise.reject(new Error('no limit of memory'))))
  expect(await lookAt(machineCheck(broken))).toMatchObject({ ok: false, detail: 'no limit of memory', fix: 'see that docker info works' })
})

test('[SBX374] doctor tries machines once, and its line of resources says the same as their own', async () => {
  let tries = 0
  const flaky = machineTriedOnce(host({}, async () => (++tries < 3 ? Promise.reject(new Error('busy')) : 'held')))
  const own = await lookAt(machineCheck(flaky))
  const place = { hfEndpoint: 'http://127.0.0.1:9', githubRawEndpoint: 'http://127.0.0.1:9', dataDir: '.', port: 9 }
  const resources = await lookAt(checks(place, [], flaky).find(({ name }) => name === 'resources')!)
  expect([own.ok, own.detail]).toEqual([false, 'busy'])
  expect(resources.detail).toContain('not proved: machine (busy)')
  expect(tries).toBe(2)
})
