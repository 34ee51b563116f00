import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { findControlGroups } from './control-groups.ts'

const groups = await findControlGroups()
const absent = 'missing' in groups ? groups.missing : null

/** Id of a process that has ended. */
const endedPid = (): number => spawnSync('true').pid

test('[SBX376] what an agent left that was killed while a sandbox began is ended by the next; what somebody waits for stays', async ({
  skip,
}) => {
  skip(absent !== null, String(absent))
  if ('missing' in groups) return
  const own = await groups.create({ memory_bytes: 2 ** 26, processes: 16, cpus: 1 })
  const parents = own.joins.map((path) => dirname(dirname(path)))
  await own.remove()
  const groupOf = (agent: number, pid: number): string[] =>
    parents.map((parent) => {
      const group = join(parent, `chutes-bench-${agent}-1-t0`)
      mkdirSync(group)
      writeFileSync(join(group, 'cgroup.procs'), String(pid))
      return group
    })
  const said = spawnSync('sh', ['-c', 'setsid sleep 9999 > /dev/null 2>&1 & echo $!']).stdout.toString()
  const orphan = Number(said)
  const child: ChildProcess = spawn('sleep', ['9999'])
  const [left, waitedFor] = [groupOf(endedPid(), orphan), groupOf(endedPid(), child.pid!)]
  try {
    await findControlGroups()
    expect([left.filter(existsSync), waitedFor.filter(existsSync)]).toEqual([[], waitedFor])
    expect(child.exitCode).toBe(null)
  } finally {
    child.kill('SIGKILL')
    await vi.waitFor(() => waitedFor.forEach((group) => void rmdirSync(group)), { timeout: 10_000 })
  }
})
