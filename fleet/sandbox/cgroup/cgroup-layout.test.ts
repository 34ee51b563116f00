import { expect, test } from 'vitest'
import { groupsUpwards, readKillCount, readPeriods, readPlaces, settingsOf } from './cgroup-layout.ts'

const mount = (top: string, type: string, options: string) => `30 25 0:26 / ${top} rw,nosuid - ${type} cgroup ${options}`
const limits = { memory_bytes: 1000, processes: 7, cpus: 0.5 }

test('[SBX26] controllers are found in trees of version 1, of version 2, and where both are mounted', () => {
  const first = [
    mount('/sys/fs/cgroup/cpu,cpuacct', 'cgroup', 'rw,cpu,cpuacct'),
    mount('/sys/fs/cgroup/memory', 'cgroup', 'rw,memory'),
  ].join('\n')
  expect(readPlaces(first, '5:cpu,cpuacct:/\n4:memory:/agents/a:b\n', () => [])).toEqual([
    { controller: 'memory', version: 1, top: '/sys/fs/cgroup/memory', own: '/agents/a:b' },
    { controller: 'cpu', version: 1, top: '/sys/fs/cgroup/cpu,cpuacct', own: '/' },
  ])
  const second = mount('/sys/fs/cgroup', 'cgroup2', 'rw,nsdelegate')
  const found = readPlaces(second, '0::/user.slice/agent\n', () => ['cpu', 'io', 'memory', 'pids'])
  expect(found.map(({ controller, version, own }) => [controller, version, own])).toEqual(
    ['memory', 'pids', 'cpu'].map((controller) => [controller, 2, '/user.slice/agent']),
  )
  const both = readPlaces(`${first}\n${mount('/sys/fs/cgroup/unified', 'cgroup2', 'rw')}`, '4:memory:/\n0::/\n', () => ['pids'])
  expect(both.map(({ controller, version }) => [controller, version])).toEqual([
    ['memory', 1],
    ['pids', 2],
  ])
  expect(readPlaces('', '', () => [])).toEqual([])
})

test('[SBX26] the nearest group is asked first, and memory is limited with swap', () => {
  expect(groupsUpwards({ top: '/top', own: '/a/b' })).toEqual(['/top/a/b', '/top/a', '/top'])
  expect(groupsUpwards({ top: '/top', own: '/../..' })).toEqual(['/top'])
  const lines = (version: 1 | 2) =>
    (['memory', 'pids', 'cpu'] as const).flatMap((one) => settingsOf(one, version, limits).map(({ file, value }) => `${file}=${value}`))
  expect(lines(1)).toEqual([
    'memory.limit_in_bytes=1000',
    'memory.memsw.limit_in_bytes=1000',
    'pids.max=7',
    'cpu.cfs_period_us=100000',
    'cpu.cfs_quota_us=50000',
  ])
  expect(lines(2)).toEqual(['memory.max=1000', 'memory.swap.max=0', 'pids.max=7', 'cpu.max=50000 100000'])
  expect(readKillCount('oom_kill_disable 0\nunder_oom 0\noom_kill 3\n')).toBe(3)
  expect(readPeriods('nr_periods 12\nnr_throttled 3\nthrottled_time 99\n')).toBe(12)
  expect(readPeriods('usage_usec 5\n')).toBe(0)
  expect(readKillCount('low 0\noom 5\noom_kill 2\noom_group_kill 0\n')).toBe(2)
})
