import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { TestsEvidence } from '../../contract/evidence/tests.ts'
import { noTables } from '../../scorers/tables.ts'
import type { Kit } from '../../solvers/kit.ts'
import type { Machine, MachineExec, MachineExecResult } from '../../solvers/machine.ts'
import { scriptedKit } from '../../solvers/testing/scripted-kit.ts'
import { positions } from '../../testing/draws.ts'
import { listRows } from '../rows.ts'
import { openTask } from '../task.ts'
import { card } from './card.ts'
import { checkHidden, hideHistory } from './hide-history.ts'
import { type HiddenInstance, Instance } from './instance.ts'
import { type Answer, type PatchSource, solveInstance, type Work } from './solve.ts'
import { takePatch } from './take-patch.ts'
import task from './task.ts'

const linesOf = (name: string): unknown[] =>
  JSON.parse(
    `[${readFileSync(new URL(name, import.meta.url), 'utf8')
      .trim()
      .replaceAll('\n', ',')}]`,
  )
const opened = await openTask(task, {
  profile: card.profiles[0]!,
  texts: {},
  rows: { test: listRows(linesOf('sample.jsonl')), scripts: listRows(linesOf('sample.scripts.jsonl')) },
})

const folder = mkdtempSync(join(tmpdir(), 'bench-swe-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const shut = ['--proc', '/proc', '--dev', '/dev', '--unshare-pid', '--unshare-net', '--die-with-parent', '--clearenv']
const plain = { PATH: '/opt/bin:/usr/bin:/bin', HOME: '/root', LANG: 'C.UTF-8' }
const works = existsSync('/usr/bin/git') && spawnSync('bwrap', ['--ro-bind', '/', '/', ...shut, '/usr/bin/true']).status === 0

/** A machine at the port whose files are a folder of this host and whose commands run in bubblewrap: enough for commands of git and of Python. */
function hostMachine(root: string): Machine & { stopped: boolean } {
  const on = (path: string): string => join(root, path)
  return {
    image: { name: 'host', digest: 'sha256:0' },
    stopped: false,
    exec({ argv, env, cwd, timeout_ms, head_bytes, tail_bytes }: MachineExec): Promise<MachineExecResult> {
      const set = Object.entries({ ...plain, ...env }).flatMap(([name, value]) => ['--setenv', name, value])
      const child = spawn('bwrap', ['--bind', root, '/', '--ro-bind', '/usr', '/usr', ...shut, ...set, '--chdir', cwd ?? '/app', ...argv])
      const parts: Buffer[] = []
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part))
      let late = false
      const timer = setTimeout(() => {
        late = true
        child.kill('SIGKILL')
      }, timeout_ms)
      return new Promise((resolve) =>
        child.on('close', (exit_code) => {
          clearTimeout(timer)
          const all = Buffer.concat(parts)
          const [head, rest] = [all.subarray(0, head_bytes), all.subarray(head_bytes)]
          const tail = rest.subarray(Math.max(0, rest.length - tail_bytes))
          const end = late ? ('timeout' as const) : ('exited' as const)
          resolve({ end, exit_code: late ? null : exit_code, head, tail, omitted_bytes: rest.length - tail.length })
        }),
      )
    },
    async upload(path, files) {
      for (const file of files) {
        mkdirSync(dirname(on(`${path}/${file.path}`)), { recursive: true })
        writeFileSync(on(`${path}/${file.path}`), file.bytes)
      }
      return 'written'
    },
    async download(path, most) {
      const found = lstatSync(on(path), { throwIfNoEntry: false })
      if (!found) return { ok: false, reason: 'absent' }
      if (!found.isFile()) return { ok: false, reason: 'unsafe', entry: 'special' }
      if (found.size > most) return { ok: false, reason: 'too-large' }
      return { ok: true, folder: false, files: [{ path: 'file', mode: 0o644, bytes: readFileSync(on(path)) }] }
    },
    folderStamp: async () => undefined,
    processes: async () => [],
    endProcesses: async () => true,
    async stop() {
      this.stopped = true
    },
  }
}

const images = new Map<string, Promise<string>>()
let count = 0

/** A fresh machine of an instance's image, which is made once. */
async function start({ built_from }: HiddenInstance): Promise<ReturnType<typeof hostMachine>> {
  const script = built_from!.find(({ path }) => path === 'history.sh')!.text
  const build = async (): Promise<string> => {
    const root = join(folder, `image-${images.size}`)
    for (const name of ['app', 'tmp', 'root', 'opt/bin']) mkdirSync(join(root, name), { recursive: true })
    for (const name of ['bin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name))
    symlinkSync('/usr/bin/python3', join(root, 'opt/bin/python'))
    const made = await hostMachine(root).exec({ argv: ['bash', '-c', script], timeout_ms: 30_000, head_bytes: 2000, tail_bytes: 0 })
    expect(Buffer.from(made.head).toString(), 'the history is made').toBe('')
    return root
  }
  const image = images.get(script) ?? build()
  images.set(script, image)
  const root = join(folder, `machine-${count++}`)
  cpSync(await image, root, { recursive: true, verbatimSymlinks: true })
  return hostMachine(root)
}

const answer: Answer = { text: 'done', reasoning: null, finish_reason: 'stop', scoring_input: null, truncated_reasoning: false }

/** An agent that runs lines of a shell. */
const working =
  (lines: string): Work =>
  async (machine) => {
    const done = await machine.exec({ argv: ['bash', '-ec', lines], timeout_ms: 30_000, head_bytes: 4000, tail_bytes: 0 })
    expect([done.exit_code, done.exit_code === 0 ? '' : Buffer.from(done.head).toString()]).toEqual([0, ''])
    return { ok: true, value: answer }
  }

type Changes = Partial<HiddenInstance>
async function solved(index: number, source: PatchSource, changes: Changes = {}, limit_ms = 60_000) {
  const item = await opened.item(index, 0)
  const hidden = { ...((await opened.hidden!(index)) as HiddenInstance), ...changes }
  const machines: { network: string; machine: ReturnType<typeof hostMachine>; before: boolean[] }[] = []
  const open: Kit['machine'] = async ({ network }) => {
    const machine = await start(hidden)
    machines.push({ network, machine, before: machines.map((one) => one.machine.stopped) })
    return { ok: true as const, value: machine }
  }
  const kit = { ...scriptedKit({}), hidden: async () => ({ ok: true as const, value: hidden }), machine: open }
  const done = await solveInstance(source, { room: { cpus: 1, memory_mb: 512, storage_mb: 512 }, limit_ms })(item, kit)
  if (!done.ok) throw new Error(JSON.stringify(done.failure))
  const score = task.score(item, done.value, 'builtin', noTables)
  return { evidence: done.value, part: done.value.parts[0]!, score, machines }
}
const endsOf = (evidence: TestsEvidence): string[] => evidence.parts[0]!.tests.map(({ end }) => end)
const gold = async (index: number): Promise<string> => ((await opened.hidden!(index)) as HiddenInstance).gold_patch
const applying = (patch: string): string => `cat > /tmp/p <<'END'\n${patch}END\ngit apply /tmp/p\n`
const agent = (lines: string): PatchSource => ({ type: 'agent', work: working(lines) })
const given = (patch: string): Promise<Awaited<ReturnType<typeof solved>>> => solved(0, { type: 'gold' }, { gold_patch: patch })

test.skipIf(!works)(
  '[SCORE253] of every sample row drawn the gold patch is resolved, and an empty one is not and opens no machine',
  async () => {
    for (const index of positions(opened.count, 3)) {
      const right = await solved(index, { type: 'gold' })
      expect([right.score.outcome, ...endsOf(right.evidence)], right.part.output).toEqual([
        'right',
        ...right.part.tests.map(() => 'passed'),
      ])
      expect(right.part.build!.ok).toBe(true)
    }
    const { score, machines } = await solved(0, { type: 'empty' })
    expect([score.outcome, score.flags, machines]).toEqual(['wrong', ['empty_patch'], []])
  },
  180_000,
)

test.skipIf(!works)('[SCORE253] without the change tests fail that it mends, and those pass that passed before', async () => {
  const { score, evidence, part } = await given(
    'diff --git a/x.txt b/x.txt\nnew file mode 100644\n--- /dev/null\n+++ b/x.txt\n@@ -0,0 +1 @@\n+x\n',
  )
  expect([score.outcome, endsOf(evidence)]).toEqual(['wrong', ['failed', 'error', 'passed']])
  expect(part.output).toContain('IndexError')
})

test.skipIf(!works)('[SCORE253] a cut last line is ended, binary sections go, and a patch of them alone is empty', async () => {
  const patch = await gold(0)
  const binary = 'diff --git a/i.png b/i.png\nnew file mode 100644\nindex 000..abc\nBinary files /dev/null and b/i.png differ\n'
  expect((await given(patch.trimEnd())).score.outcome).toBe('right')
  expect((await given(`${binary}${patch}`)).score.outcome).toBe('right')
  const { score, machines } = await given(binary)
  expect([score.outcome, score.flags, machines]).toEqual(['wrong', ['empty_patch'], []])
})

test.skipIf(!works)('[SCORE253] a patch that does not apply ends nothing: tests run on the base, and the score says so', async () => {
  const { score, evidence } = await given((await gold(0)).replace('-    return args[0]', '-    return argument[0]'))
  expect([score.outcome, score.flags, endsOf(evidence)]).toEqual(['wrong', ['patch_refused'], ['failed', 'error', 'passed']])
})

test.skipIf(!works)('[SCORE253] tests that an agent edits are those of the solution again', async () => {
  const cheat = 'printf \'def test_1():\\n    "add | it\\x27s mended → 1"\\n\' > tests/test_add.py'
  const { score, part } = await solved(0, agent(cheat))
  expect(part.patch).toContain('tests/test_add.py')
  expect([score.outcome, part.build!.ok]).toEqual(['wrong', true])
  expect((await solved(0, agent(`${applying(await gold(0))}${cheat}`))).score.outcome).toBe('right')
})

test.skipIf(!works)('[SCORE253] a patch that breaks what passed before is not resolved, though it mends what it should', async () => {
  const { score, evidence } = await solved(
    0,
    agent("printf 'def add(*args):\\n    return sum(args) if len(args) != 2 else 9\\n' > calc/add.py"),
  )
  expect([score.outcome, endsOf(evidence)]).toEqual(['wrong', ['passed', 'passed', 'failed']])
  expect(score.detail).toMatchObject({ fail_to_pass: 2, fail_to_pass_passed: 2, passed: 2, total: 3 })
})

test.skipIf(!works)('[SCORE252] a patch is the same whether an agent commits, stages or neither, with new files of any name', async () => {
  const odd = `mkdir -p "calc/a b" && echo x > 'calc/a b/it"s ü →.txt' && echo y > calc/new.txt && echo z > noise.log && echo more >> notes.txt && chmod +x README.md`
  const commit = 'git -c user.name=a -c user.email=a@a commit -q'
  const work = applying(await gold(0)) + odd
  const [free, staged, committed] = [
    await solved(0, agent(work)),
    await solved(0, agent(`${work}\ngit add -A`)),
    await solved(0, agent(`${work}\ngit add -A\n${commit} -m a\n${commit} --amend -m b`)),
  ]
  expect([free.score.outcome, staged.score.outcome, committed.score.outcome]).toEqual(['right', 'right', 'right'])
  expect(new Set([free, staged, committed].map(({ part }) => part.patch)).size).toBe(1)
  expect(free.part.patch).toContain('it\\"s \\303\\274 \\342\\206\\222.txt')
  expect(free.part.patch).toContain(' made by the build\n+more\n')
  expect(free.part.patch).toContain('new mode 100755')
  expect(free.part.patch).not.toContain('noise.log')
  expect(free.part.build!.ok).toBe(true)
})

test.skipIf(!works)('[SCORE252] settings, repositories inside and binary files of an agent change nothing of its patch', async () => {
  const meddled = `git config diff.noprefix true; git config core.quotePath false; git config diff.external false; git config core.attributesFile /tmp/a
mkdir -p nested && git -C nested init -q && head -c 3000 /dev/urandom > calc/data.bin
printf '*.py diff=odd\\n' > .gitattributes; git config diff.odd.textconv 'echo no'; git config color.ui always`
  const { score, part } = await solved(0, agent(applying(await gold(0)) + meddled))
  expect([score.outcome, part.build!.ok]).toEqual(['right', true])
  expect(part.patch).not.toContain('data.bin')
})

test.skipIf(!works)('[SCORE252] an agent that destroys its repository has no patch, which is wrong and no failure', async () => {
  const { score, part } = await solved(0, agent('rm -rf .git'))
  expect([score.outcome, score.flags, part.patch]).toEqual(['wrong', ['unparsed'], null])
})

test.skipIf(!works)('[SCORE251] once hidden nothing beyond the base can be found, and grading has what it needs', async () => {
  const hidden = (await opened.hidden!(0)) as HiddenInstance
  const { base_commit, solution_commits } = Instance.parse((await opened.item(0, 0)).metadata)
  const machine = await start(hidden)
  const open = await checkHidden(machine, base_commit, solution_commits)
  expect(open.ok ? '' : open.failure.detail).toContain('can still be found')
  const begun = await hideHistory(machine, base_commit, solution_commits)
  expect(begun.ok).toBe(true)
  const told = await machine.exec({
    argv: [
      'bash',
      '-c',
      'git log --all --format=%s; git show "$0" || echo gone; git status --short; git fsck --unreachable; git remote; cat calc/add.py',
      solution_commits[0]!,
    ],
    ...{ timeout_ms: 30_000, head_bytes: 9000, tail_bytes: 0 },
  })
  const text = Buffer.from(told.head).toString()
  expect(text).toContain('base\nstart\n')
  expect(text).toContain('gone')
  expect(text).toContain('?? notes.txt')
  expect(text).not.toMatch(/solution|unreachable|origin|sum\(/)
  expect((await solved(0, agent(applying(hidden.gold_patch)))).score.outcome).toBe('right')
})

test.skipIf(!works).each([
  ['git branch x', 'references are left'],
  ['git remote add o /x', 'a remote is left'],
  ['touch .git/ORIG_HEAD', 'ORIG_HEAD is left'],
  ['git -c user.name=a -c user.email=a@a commit-tree -m x HEAD^{tree}', 'commits are there'],
])('[SCORE251] the check sees what is left by: %s', async (left, fault) => {
  const hidden = (await opened.hidden!(0)) as HiddenInstance
  const { base_commit, solution_commits } = Instance.parse((await opened.item(0, 0)).metadata)
  const machine = await start(hidden)
  await hideHistory(machine, base_commit, solution_commits)
  expect((await checkHidden(machine, base_commit, solution_commits)).ok).toBe(true)
  await machine.exec({ argv: ['bash', '-c', left], timeout_ms: 30_000, head_bytes: 0, tail_bytes: 0 })
  const checked = await checkHidden(machine, base_commit, solution_commits)
  expect(checked.ok ? '' : checked.failure.detail).toContain(fault)
})

test.skipIf(!works)('[SCORE251] submodules stay, also one that is not where the base has it, and are no change of the agent', async () => {
  const machine = await start((await opened.hidden!(0)) as HiddenInstance)
  const commit = 'git -c user.name=a -c user.email=a@a commit -q'
  const lines = `git init -q /tmp/lib && cd /tmp/lib && ${commit} --allow-empty -m 1 && ${commit} --allow-empty -m 2
cd /app && git -c protocol.file.allow=always submodule -q add /tmp/lib lib 2>&1 && ${commit} -m sub && git -C lib checkout -q HEAD~1 && git rev-parse HEAD`
  const made = await machine.exec({ argv: ['bash', '-ec', lines], timeout_ms: 30_000, head_bytes: 2000, tail_bytes: 0 })
  const begun = await hideHistory(machine, Buffer.from(made.head).toString().trim(), [])
  if (!begun.ok) throw new Error(begun.failure.detail)
  expect((await machine.exec({ argv: ['git', '-C', 'lib', 'log'], timeout_ms: 30_000, head_bytes: 0, tail_bytes: 0 })).exit_code).toBe(0)
  expect(await takePatch(machine, begun.value)).toEqual({ ok: true, value: { patch: '' } })
})

test.skipIf(!works)('[SCORE254] tests that hang end at their limit and are wrong, whatever they had told before', async () => {
  const hangs = `${((await opened.hidden!(0)) as HiddenInstance).run_script}\ntouch /tmp/ran\nsleep 1000\n`
  const { score, evidence, machines } = await solved(0, { type: 'gold' }, { run_script: hangs }, 4000)
  expect([score.outcome, score.flags, new Set(endsOf(evidence))]).toEqual(['wrong', ['tests_timed_out'], new Set(['timeout'])])
  expect(machines.map(({ machine }) => machine.stopped)).toEqual([true])
})

test.skipIf(!works)('[SCORE255] the agent has no network and is stopped before a machine with one opens for grading', async () => {
  const { machines } = await solved(0, agent(applying(await gold(0))))
  expect(machines.map(({ network, before }) => [network, before])).toEqual([
    ['none', []],
    ['public', [true]],
  ])
})
