import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, expect, test } from 'vitest'
import { someOf } from '#shared/testing/draws.ts'
import { allAttacks } from '../all-attacks.ts'
import { elsewhere, isContained } from '../attacks.ts'
import { findControlGroups } from '../cgroup/control-groups.ts'
import { contractSpec, type OpenForContract, sandboxContract } from '../sandbox.contract.ts'
import { openCanary } from '../testing/canary.ts'
import { nextHostUser } from './host-user.ts'
import { createBubblewrap } from './open-bubblewrap.ts'
import { bubblewrapProbe, tryBubblewrap } from './probe-bubblewrap.ts'
import type { Architecture } from './syscalls.ts'

const groups = await findControlGroups()
const absent =
  spawnSync('bwrap', ['--version']).status !== 0 ? 'bwrap is not installed' : 'missing' in groups && `this machine ${groups.missing}`
if (absent) console.info(`skipped: ${absent}`)
const bubblewrap = await createBubblewrap('bwrap', groups)
const open: OpenForContract = (changes = {}, signal = new AbortController().signal) =>
  bubblewrap.open({ ...contractSpec, ...changes }, signal)
const patience = 60_000
const home = new URL('./open-bubblewrap.ts', import.meta.url).href

const { canary, folder, reached, ...canaries } = await openCanary()
/** Processes of this machine with this word among their arguments, this one's agent apart. */
const marked = (mark: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return words.includes(mark) && !words.includes('--input-type')
    } catch {
      return false
    }
  })
const trial = { run_id: '0a1b2c3d-1111-4111-8111-111111111111', ordinal: 17, attempt: 2, benchmark: 'alpha', item_id: '142', epoch: 1 }
const groupsNamed = (name: string): string[] =>
  spawnSync('find', ['/sys/fs/cgroup', '-name', name]).stdout.toString().split('\n').filter(Boolean)
/** An agent that opens a sandbox, begins a command in it that hears no signal, and says which process holds its files. */
const agentProgram = `import { readdirSync, readFileSync } from 'node:fs'
const { createBubblewrap } = await import(process.argv[1])
const bubblewrap = await createBubblewrap()
const opened = await bubblewrap.open(${JSON.stringify(contractSpec)}, new AbortController().signal, ${JSON.stringify(trial)})
if (!opened.ok) throw new Error(opened.failure.detail)
const [holder] = readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').trim().split(' ').slice(-1)
void opened.value.exec({ argv: ['sh', '-c', "trap '' TERM HUP INT; setsid sh -c 'sleep 99; :' $0 & sleep 99; :", process.argv[2]], timeout_ms: 99999, output_bytes: 9 })
console.log(holder)`
const describingAgent = `const { createBubblewrap } = await import(process.argv[1])
const bubblewrap = await createBubblewrap()
const opened = await bubblewrap.open(${JSON.stringify(contractSpec)}, new AbortController().signal)
if (!opened.ok) throw new Error(opened.failure.detail)
const script = 'for f in /proc/self/fd/*; do printf " %s=%s" "$(basename $f)" "$(readlink /proc/$$/fd/$(basename $f))"; done; echo; ulimit -c'
const { stdout } = await opened.value.exec({ argv: ['sh', '-c', script], timeout_ms: 20000, output_bytes: 9999 })
await opened.value[Symbol.asyncDispose]()
process.stdout.write(stdout)`
const children = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return new RegExp(`^PPid:\\s+${process.pid}$`, 'm').test(readFileSync(`/proc/${pid}/status`, 'utf8'))
    } catch {
      return false
    }
  })

afterAll(async () => {
  bubblewrap.close()
  await canaries[Symbol.asyncDispose]()
})

for (const { rule, name, check } of sandboxContract)
  test(`[${rule}] bubblewrap: ${name}`, { timeout: patience }, async (context) => {
    context.skip(absent !== false, String(absent))
    await check(open)
  })

for (const attack of someOf(allAttacks, 12))
  test(`[SBX20] attack ${attack.row} is contained: ${attack.name}`, { timeout: patience }, async (context) => {
    context.skip(absent !== false, String(absent))
    const opened = await open()
    if (!opened.ok) throw new Error(opened.failure.detail)
    await using box = opened.value
    const argv = attack.program(canary, process.arch as Architecture, 'bwrap')
    const became = await box.exec({ argv, timeout_ms: attack.timeout_ms ?? 40_000, output_bytes: 65_536 })
    const text = [became.stdout, became.stderr].map((bytes) => new TextDecoder().decode(bytes.subarray(0, 2000)))
    expect(isContained(attack, became), `${became.end} ${became.exit_code}\n${text.join('\n')}`).toBe(true)
    expect(reached).toEqual([])
  })

test('[SBX20] each of the 44 attacks is a program, checked elsewhere, or named with the reason why not', () => {
  const rows = new Set(allAttacks.map(({ row }) => row))
  const all = Array.from({ length: 44 }, (_, index) => index + 1)
  expect(all.filter((row) => rows.has(row) === row in elsewhere)).toEqual([])
})

test('[SBX21] every property is proved by trying it, within what a proof may say', { timeout: patience }, async (context) => {
  context.skip(absent !== false, String(absent))
  expect(await tryBubblewrap(bubblewrap)).toMatch(/^all held, /)
  expect(bubblewrapProbe('bwrap').probed.length).toBeLessThanOrEqual(200)
})

test('[SBX21] [SBX33] what does not hold is named, and where bwrap or limits are missing that is why there is no proof', async (context) => {
  await expect(tryBubblewrap(await createBubblewrap('bwrap', { missing: 'cannot limit memory: nothing is writable' }))).rejects.toThrow(
    'This agent cannot limit memory: nothing is writable.',
  )
  context.skip(absent !== false, String(absent))
  await expect(tryBubblewrap(await createBubblewrap('/no/such/bwrap', groups))).rejects.toThrow(
    /^no program starts: unavailable: .*\/no\/such\/bwrap/,
  )
  const unbounded = await createBubblewrap('bwrap', {
    held: ['memory', 'pids', 'cpu'],
    create: async () => ({ joins: [], memoryKills: async () => 0, cpuPeriods: async () => 0, remove: async () => undefined }),
  })
  await expect(tryBubblewrap(unbounded)).rejects.toThrow(
    /^does not hold: memory .*, processes .*, processor share \(\d+ ms of its own in 0 periods\)/,
  )
})

test('[SBX375] a device of the machine that not every user may use is told by its name, with what to do', async () => {
  const devices = (path: string) => ({ mode: path === '/dev/null' ? 0o20644 : 0o20666 })
  await expect(tryBubblewrap(bubblewrap, devices)).rejects.toThrow('not every user of this machine may use /dev/null: chmod 666 /dev/null')
})

test('[SBX33] a program that is the agent’s user where it must be another, or the reverse, is no proof', {
  timeout: patience,
}, async (context) => {
  context.skip(absent !== false, String(absent))
  const agent = process.getuid!()
  const said = (owner: () => Promise<number>) => {
    const swapped: typeof bubblewrap.open = async (...given) => {
      const opened = await bubblewrap.open(...given)
      if (!opened.ok) return opened
      const { exec, read, write, [Symbol.asyncDispose]: close, outside } = opened.value
      return { ok: true, value: { exec, read, write, [Symbol.asyncDispose]: close, outside: { ...outside, ownerOf: owner } } }
    }
    return tryBubblewrap({ ...bubblewrap, open: swapped })
  }
  const wrong = agent === 0 ? 0 : agent + 1
  await expect(said(async () => wrong)).rejects.toThrow(`does not hold: host user (${wrong})`)
  await expect(said(() => Promise.reject(new Error('gone')))).rejects.toThrow('does not hold: host user (nothing was written)')
})

test('[SBX22] a closed sandbox leaves no process, no group, no file and no descriptor', { timeout: patience }, async (context) => {
  context.skip(absent !== false, String(absent))
  const count = () => ({
    children: children().length,
    descriptors: readdirSync('/proc/self/fd').length,
    folders: readdirSync(tmpdir()).filter((name) => name.startsWith('bench-filter')).length,
  })
  await (await opened())[Symbol.asyncDispose]()
  const before = count()
  for (let round = 0; round < 3; round++) {
    await using box = await opened()
    await Promise.all(
      [1, 2].map(() => box.exec({ argv: ['sh', '-c', 'sleep 99 & setsid sleep 99 &'], timeout_ms: 20_000, output_bytes: 9 })),
    )
    const deep = `perl -e 'for (1..3000) { mkdir "d" x 255; chdir "d" x 255 }'`
    await box.exec({ argv: ['sh', '-c', deep], timeout_ms: 20_000, output_bytes: 9 })
  }
  expect(count()).toEqual(before)
  expect(spawnSync('find', ['/sys/fs/cgroup', '-name', `chutes-bench-${process.pid}-*`]).stdout.toString()).toBe('')

  async function opened() {
    const outcome = await open()
    if (!outcome.ok) throw new Error(outcome.failure.detail)
    return outcome.value
  }
})

test('[SBX27] an agent that is killed takes its sandboxes and their holders with it', { timeout: patience }, async (context) => {
  context.skip(absent !== false, String(absent))
  const mark = `sandbox-of-${process.pid}`
  const agent = spawn(process.execPath, ['--input-type=module', '-e', agentProgram, home, mark], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const began = await once(agent.stdout!, 'data')
  const holder = Number(String(began[0]).trim())
  await expect.poll(() => marked(mark).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(3)
  agent.kill('SIGKILL')
  await once(agent, 'close')
  await expect.poll(() => [marked(mark), existsSync(`/proc/${holder}`)], { timeout: 20_000 }).toEqual([[], false])
  await findControlGroups()
  expect(groupsNamed(`chutes-bench-${agent.pid}-*`)).toEqual([])
})

test('[SBX72] the group of a sandbox has the name of its trial; inside nothing says whose it is', {
  timeout: patience,
}, async (context) => {
  context.skip(absent !== false, String(absent))
  const outcome = await bubblewrap.open(contractSpec, new AbortController().signal, trial)
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  await using box = outcome.value
  expect(groupsNamed(`chutes-bench-${process.pid}-*-0a1b2c3d-t17-a2-alpha-i142-e1`).length).toBeGreaterThanOrEqual(1)
  const looks = ['sh', '-c', 'hostname; env; cat /proc/self/cgroup /proc/self/mountinfo /proc/[0-9]*/cmdline'] as const
  const { stdout } = await box.exec({ argv: looks, timeout_ms: 9000, output_bytes: 99_999 })
  expect(new TextDecoder().decode(stdout)).toContain('sandbox\n')
  expect(new TextDecoder().decode(stdout)).not.toMatch(/0a1b2c3d|alpha|i142/)
})

test('[SBX4] [SBX5] a directory that turns into a link to the host while files go in and out leads nowhere', {
  timeout: patience,
}, async (context) => {
  context.skip(absent !== false, String(absent))
  const outcome = await open()
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  await using box = outcome.value
  const swapping = `mkdir("swap"); symlink($ARGV[0], "evil");
    while (1) { unlink("apart/planted"); rmdir("apart"); rename("swap", "apart"); rename("evil", "swap"); rename("swap", "evil"); rename("apart", "swap") }`
  const running = box.exec({ argv: ['perl', '-e', swapping, folder], timeout_ms: patience, output_bytes: 9 })
  const seen = { written: 0, denied: 0, 'disk-full': 0, unavailable: 0 }
  for (let round = 0; round < 500 || seen.written === 0 || seen.denied === 0; round++) {
    seen[await box.write('swap/planted', new Uint8Array(9))]++
    expect(await box.read('swap/canary', 99)).toBeNull()
  }
  await box[Symbol.asyncDispose]()
  expect((await running).end).toBe('unavailable')
  expect(readdirSync(folder)).toEqual(['canary'])
})

test('[SBX28] what the agent itself was started with reaches no program: descriptors, core files', {
  timeout: patience,
}, async (context) => {
  context.skip(absent !== false, String(absent))
  const file = openSync(canary.file, 'r') // as number 40: Node itself closes lower ones
  const script = 'ulimit -c unlimited 2>/dev/null; exec "$@"'
  const agent = spawn('/bin/sh', ['-c', script, 'sh', process.execPath, '--input-type=module', '-e', describingAgent, home], {
    stdio: ['ignore', 'pipe', 'inherit', ...Array.from({ length: 37 }, () => 'ignore' as const), file],
  })
  closeSync(file)
  const said: string[] = []
  agent.stdout!.on('data', (part) => said.push(String(part)))
  await once(agent, 'close')
  const [descriptors, core] = said.join('').trim().split('\n')
  expect(descriptors!.split(' ').filter((one) => /^(\d\d|[4-9])=/.test(one) && !one.endsWith('=/dev/null'))).toEqual([])
  expect(descriptors).toContain(' 40=/dev/null')
  expect(core).toBe('0')
})

test('[SBX23] an agent that is root becomes a user without rights before bwrap starts', async (context) => {
  context.skip(absent !== false, String(absent))
  context.skip(process.getuid!() !== 0, 'this is not root')
  const outcome = await open()
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  await using box = outcome.value
  const mark = `mark${process.pid}`
  const running = box.exec({ argv: ['sh', '-c', 'sleep 99; :', mark], timeout_ms: 60_000, output_bytes: 9 })
  const owners = (): string[] =>
    marked(mark).flatMap((pid) => /^[UG]id:\s+(.*)$/gm[Symbol.match](readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [])
  await expect.poll(() => owners().length).toBeGreaterThanOrEqual(6)
  for (const line of owners()) for (const id of line.split(/\s+/).slice(1)) expect(Number(id)).toBeGreaterThanOrEqual(1_879_048_192)
  await box[Symbol.asyncDispose]()
  expect((await running).end).toBe('unavailable')
})

test('[SBX23] no two of 256 sandboxes in a row are the same user, and who is not root stays itself', () => {
  const users = Array.from({ length: 256 }, () => nextHostUser(0, 70_000)!)
  expect(new Set(users.map(({ uid }) => uid)).size).toBe(256)
  expect(users.every(({ uid, gid }) => uid === gid && uid >= 1_879_048_192 && uid < 2 ** 31)).toBe(true)
  expect(nextHostUser(1000, 1)).toBeNull()
})

test('[SBX32] input and outputs of a program can be opened by their paths too, and what comes is as it was written', {
  timeout: patience,
}, async (context) => {
  context.skip(absent !== false, String(absent))
  const outcome = await open()
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  await using box = outcome.value
  const script = `echo one; echo two > /dev/stdout; echo three > /proc/self/fd/1; echo bad > /dev/stderr; cat /dev/stdin /proc/self/fd/0; stat -L -c %F /dev/stdout`
  for (const stdin of ['input', 'again'].map((word) => new TextEncoder().encode(`${word}\n`.repeat(20_000)))) {
    const { end, stdout, stderr } = await box.exec({ argv: ['sh', '-c', script], stdin, timeout_ms: patience, output_bytes: 1_000_000 })
    const said = new TextDecoder().decode(stdout)
    const twice = new TextDecoder().decode(stdin).repeat(2)
    expect([end, said === `one\ntwo\nthree\n${twice}fifo\n`, new TextDecoder().decode(stderr)]).toEqual(['exited', true, 'bad\n'])
  }
  const without = await box.exec({ argv: ['sh', '-c', 'cat; cat /dev/stdin; echo end'], timeout_ms: patience, output_bytes: 99 })
  expect(new TextDecoder().decode(without.stdout)).toBe('end\n')
  const large = await box.exec({ argv: ['cat'], stdin: new Uint8Array(20_000_000), timeout_ms: patience, output_bytes: 99 })
  expect(large.end).toBe('disk-full')
  const many = await Promise.all(
    Array.from({ length: 24 }, (_, n) => box.exec({ argv: ['echo', String(n)], timeout_ms: patience, output_bytes: 99 })),
  )
  expect(many.map(({ stdout }) => Number(new TextDecoder().decode(stdout)))).toEqual(many.map((_, n) => n))
})
