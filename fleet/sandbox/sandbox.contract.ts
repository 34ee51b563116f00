import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Outcome } from '#shared/contract/failure.ts'
import type { ExecRequest, ExecResult, Sandbox, SandboxSpec } from '#shared/solvers/sandbox.ts'

type Box = Sandbox & AsyncDisposable
/** Opens a sandbox like `contractSpec`, changed so. */
export type OpenForContract = (changes?: Partial<SandboxSpec>, signal?: AbortSignal) => Promise<Outcome<Box>>
export type SandboxRule = { rule: string; name: string; check(open: OpenForContract): Promise<void> }

/** What the contract asks for. Inside it needs `sh`, the core utilities and Perl, which every Debian has. */
export const contractSpec: SandboxSpec = { image: null, cpus: 1, memory_mb: 96, disk_mb: 16, network: false }

/** What every sandbox promises to who runs programs in it, however it keeps them in. */
export const sandboxContract: readonly SandboxRule[] = [
  {
    rule: 'SBX1',
    name: 'a command has its arguments one by one, its directory, variables and input; its exit code and both outputs come back apart',
    check: async (open) => {
      await using box = await opened(open)
      ok((await box.write('in/here', bytesOf(''))) === 'written')
      const said = await box.exec({
        argv: ['sh', '-c', 'pwd; cat; printf "%s|" "$@" "$WORD"; echo to stderr >&2; exit 7', 'sh', 'a b', '$HOME', ''],
        cwd: 'in',
        env: { WORD: 'two words' },
        stdin: bytesOf('given\n'),
        ...limits,
      })
      deepEqual([said.end, said.exit_code], ['exited', 7])
      equal(textOf(said.stdout), '/workspace/in\ngiven\na b|$HOME||two words|')
      equal(textOf(said.stderr), 'to stderr\n')
      equal((await run(box, 'kill -9 $$')).exit_code, 137)
    },
  },
  {
    rule: 'SBX2',
    name: 'what no sandbox can run is denied, and the next command is none the worse for it',
    check: async (open) => {
      await using box = await opened(open)
      const bad: Partial<ExecRequest>[] = [
        { argv: ['/no/such/program'] },
        { argv: ['echo', 'a\0b'] },
        { cwd: '/no/such/place' },
        { env: { 'A=B': 'c' } },
        { env: { A: '\0' } },
        { env: { A: 'x'.repeat(3_000_000) } },
        { argv: ['echo', 'x'.repeat(3_000_000)] },
        { timeout_ms: 0 },
        { timeout_ms: Number.NaN },
        { output_bytes: -1 },
      ]
      for (const changes of bad) {
        const { end, exit_code } = await box.exec({ argv: ['true'], ...limits, ...changes })
        deepEqual([JSON.stringify(changes).slice(0, 50), end, exit_code], [JSON.stringify(changes).slice(0, 50), 'denied', null])
      }
      equal((await run(box, 'true')).end, 'exited')
    },
  },
  {
    rule: 'SBX3',
    name: 'files that are written are there for programs, and theirs are read, at most so much of them; they outlast a command',
    check: async (open) => {
      await using box = await opened(open)
      equal(await box.write('deep/er/file', bytesOf('from outside')), 'written')
      const said = await run(box, 'cat deep/er/file; echo inside > deep/er/file && rm deep/er/file && echo mine > /workspace/deep/er/other')
      deepEqual([said.exit_code, textOf(said.stdout)], [0, 'from outside'])
      equal(textOf(await box.read('/workspace/deep/er/other', 100)), 'mine\n')
      equal(textOf(await box.read('deep/er/other', 2)), 'mi')
      equal(await box.read('deep/er/file', 100), null)
      equal(await box.write('deep/er/other', bytesOf('anew')), 'written')
      equal(textOf((await run(box, 'cat deep/er/other')).stdout), 'anew')
    },
  },
  {
    rule: 'SBX4',
    name: 'reading follows no link, waits for nothing, and gives nothing but plain files of the workspace',
    check: async (open) => {
      await using box = await opened(open)
      const planted = `mkdir d; echo x > d/f; ln -s d/f link; ln -s d dlink; ln -s /etc/passwd host; ln -s /proc/self/environ env; mkfifo fifo
        ln -s link2 link2; perl -e 'use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0); bind(S, sockaddr_un("sock"))'; truncate -s 4E huge; chmod 0 d/f`
      equal((await run(box, planted)).exit_code, 0)
      const paths = ['link', 'dlink/f', 'host', 'env', 'fifo', 'link2', 'sock', 'd', 'd/../link', '../etc/passwd', '/etc/passwd']
      for (const path of [...paths, '', '.', '/', '/workspace', 'd/', 'a\0b', 'x'.repeat(300), `${'y/'.repeat(70)}z`])
        deepEqual([path, await box.read(path, 100)], [path, null])
      equal((await box.read('huge', 1000))?.length, 1000)
    },
  },
  {
    rule: 'SBX5',
    name: 'writing follows no link: it takes the place of what was planted, or is denied',
    check: async (open) => {
      await using box = await opened(open)
      const planted =
        'echo theirs > target; ln -s target link; ln target hard; mkfifo fifo; mkdir d; ln -s d dlink; ln -s /tmp up; echo f > file'
      equal((await run(box, planted)).exit_code, 0)
      for (const path of ['link', 'hard', 'fifo']) equal(await box.write(path, bytesOf('ours')), 'written')
      for (const path of ['dlink/f', 'up/f', 'file/f', 'd', '../f', '/tmp/f', '/workspace', 'd/..', '', 'a\0'])
        deepEqual([path, await box.write(path, bytesOf('ours'))], [path, 'denied'])
      const said = await run(box, 'cat target link hard fifo; test -L link || ls d /tmp')
      equal(textOf(said.stdout), 'theirs\noursoursours/tmp:\n\nd:\n')
    },
  },
  {
    rule: 'SBX6',
    name: 'a time limit ends everything that a command began, whatever it does about signals',
    check: async (open) => {
      await using box = await opened(open)
      const said = await box.exec({
        argv: ['sh', '-c', `${daemon}; trap '' TERM HUP INT; echo began; while :; do sleep 9; done`],
        ...limits,
        timeout_ms: 700,
      })
      deepEqual([said.end, said.exit_code], ['timeout', null])
      await nothingRuns(box)
    },
  },
  {
    rule: 'SBX7',
    name: 'output stops at its limit, to the byte and over both channels, and so does the command',
    check: async (open) => {
      await using box = await opened(open)
      const said = await box.exec({ argv: ['sh', '-c', `${daemon}; yes >&2 & yes`], ...limits, output_bytes: 5000 })
      deepEqual([said.end, said.exit_code, said.stdout.length + said.stderr.length], ['output-limit', null, 5000])
      await nothingRuns(box)
      const exact = await box.exec({ argv: ['printf', '12345'], ...limits, output_bytes: 5 })
      deepEqual([exact.end, textOf(exact.stdout)], ['exited', '12345'])
    },
  },
  {
    rule: 'SBX8',
    name: 'more memory than it has ends a command as out of memory, also over many processes',
    check: async (open) => {
      await using box = await opened(open)
      equal((await run(box, `perl -e 'my @a; push @a, "x" x 1e6 while 1'`)).end, 'out-of-memory')
      equal((await run(box, `for i in 1 2 3 4 5 6 7 8; do perl -e 'my $a = "x" x 3e7; sleep 9' & done; wait; exit 0`)).end, 'out-of-memory')
      equal((await run(box, 'true')).end, 'exited')
    },
  },
  {
    rule: 'SBX9',
    name: 'a full disk is one, for programs and for what is written: of bytes over all places together, and of files',
    check: async (open) => {
      await using box = await opened(open)
      const filled = await run(box, 'for d in /workspace /tmp /dev/shm; do head -c 12000000 /dev/zero > $d/f || exit 1; done')
      deepEqual([filled.end, filled.exit_code], ['disk-full', null])
      equal(await box.write('more', new Uint8Array(8_000_000)), 'disk-full')
      equal(await box.read('more', 10), null)
      equal((await run(box, 'rm -f /workspace/f /tmp/f /dev/shm/f')).exit_code, 0)
      equal((await run(box, `perl -e 'for (1..300000) { open(F, ">", "f$_") or exit 1 }'`)).end, 'disk-full')
      equal((await run(box, `perl -e 'unlink glob "f*"'; echo room > f`)).exit_code, 0)
    },
  },
  {
    rule: 'SBX10',
    name: 'programs cannot be more than their number',
    check: async (open) => {
      await using box = await opened(open)
      const said = await run(
        box,
        `perl -e 'my $n = 0; while ($n < 3000) { my $p = fork; last unless defined $p; sleep 99 unless $p; $n++ } print $n'`,
      )
      const number = Number(textOf(said.stdout))
      ok(said.end === 'exited' && number > 10 && number < 1000, `${number} processes`)
      await nothingRuns(box)
    },
  },
  {
    rule: 'SBX11',
    name: 'sandboxes have nothing in common: no file, no process, no memory',
    check: async (open) => {
      await using one = await opened(open)
      await using two = await opened(open)
      const planted = one.exec({
        argv: ['sh', '-c', 'for d in /tmp /dev/shm /workspace; do echo mark > $d/mark; done; exec sleep 97'],
        ...limits,
      })
      while ((await one.read('mark', 10)) === null) equal((await run(one, 'true')).end, 'exited')
      const seen = await run(
        two,
        'ls -A /workspace /tmp /dev/shm | grep -v : ; cat /proc/[0-9]*/cmdline | tr "\\0" " " | grep -c "sleep 9[7]"',
      )
      const own = await run(one, 'ls -A /workspace /tmp /dev/shm | grep -c mark')
      await one[Symbol.asyncDispose]()
      await planted
      equal(textOf(own.stdout), '3\n')
      equal(textOf(seen.stdout).trim(), '0')
    },
  },
  {
    rule: 'SBX12',
    name: 'who gives up a trial, or closes its sandbox, ends what runs in it; from then on it does nothing',
    check: async (open) => {
      const giveUp = new AbortController()
      for (const end of ['given up', 'closed']) {
        const box = await opened(open, end === 'given up' ? giveUp.signal : undefined)
        const running = box.exec({ argv: ['sh', '-c', `${daemon}; sleep 99`], ...limits })
        if (end === 'given up') giveUp.abort()
        else await box[Symbol.asyncDispose]()
        const { end: became } = await running
        equal(became, 'unavailable')
        equal((await run(box, 'true')).end, 'unavailable')
        equal(await box.read('began', 10), null)
        equal(await box.write('x', bytesOf('')), 'unavailable')
        await box[Symbol.asyncDispose]()
      }
      const opens = await open({}, giveUp.signal).then(
        () => 'opened',
        () => 'thrown',
      )
      equal(opens, 'thrown')
    },
  },
  {
    rule: 'SBX13',
    name: 'a command ends with its first process: nothing that it left behind goes on, or keeps it open',
    check: async (open) => {
      await using box = await opened(open)
      const said = await run(box, `${daemon}; sleep 99 & echo told`)
      deepEqual([said.end, said.exit_code, textOf(said.stdout)], ['exited', 0, 'told\n'])
      await nothingRuns(box)
    },
  },
]

const limits = { timeout_ms: 30_000, output_bytes: 65_536 }
/** Leaves a process that nothing holds on to: another session, no parent, no channels. It has `lock` for as long as it lives. */
const daemon = `perl -e 'use Fcntl ":flock"; use POSIX; open(L, ">", "lock"); flock(L, LOCK_EX); exit if fork; POSIX::setsid(); exit if fork;
  open($_, "+<", "/dev/null") for (*STDIN, *STDOUT, *STDERR); $SIG{$_} = "IGNORE" for qw(TERM HUP INT); sleep 999'`

/** Finds out by the lock whether the process of `daemon` lives. */
async function nothingRuns(box: Sandbox): Promise<void> {
  const said = await run(box, `perl -e 'use Fcntl ":flock"; open(L, ">", "lock"); print flock(L, LOCK_EX | LOCK_NB) ? "free" : "held"'`)
  equal(textOf(said.stdout), 'free')
}

async function opened(open: OpenForContract, signal?: AbortSignal): Promise<Box> {
  const outcome = await open({}, signal)
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  return outcome.value
}

const run = (box: Sandbox, script: string): Promise<ExecResult> => box.exec({ argv: ['sh', '-c', script], ...limits })
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array | null): string => (bytes === null ? 'no such file' : new TextDecoder().decode(bytes))
