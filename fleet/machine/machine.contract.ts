import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Outcome } from '#shared/contract/failure.ts'
import type { Machine, MachineExec, MachineExecResult, MachineSpec } from '#shared/solvers/machine.ts'

type Box = Machine & AsyncDisposable
/** Opens a machine like `contractMachine`, changed so. */
export type OpenForMachineContract = (changes?: Partial<MachineSpec>, signal?: AbortSignal) => Promise<Outcome<Box>>
export type MachineRule = { rule: string; name: string; check(open: OpenForMachineContract): Promise<void> }

/** What the contract asks for. The image is one of Debian with Perl, procps, sudo and tmux, whose own user is root. */
export const contractMachine: MachineSpec = {
  image: { type: 'named', name: 'bench/base:bookworm', pull_timeout_ms: 60_000 },
  cpus: 1,
  memory_mb: 256,
  storage_mb: 1024,
  network: 'none',
  env: { GREETING: 'hello world' },
  workdir: '/work',
  healthcheck: null,
}

/** What every machine promises to who works in it. */
export const machineContract: readonly MachineRule[] = [
  {
    rule: 'MACH1',
    name: 'a command has its arguments one by one, user, directory, variables and input; its output comes as it is written, then its exit code',
    check: async (open) => {
      await using box = await opened(open)
      const parts: Uint8Array[] = []
      const said = await box.exec({
        argv: ['sh', '-c', 'pwd; id -un; cat; printf "%s|" "$@" "$WORD" "$GREETING"; echo to stderr >&2; exit 7', 'sh', 'a b', '$HOME', ''],
        ...{ user: 'nobody', cwd: '/tmp', env: { WORD: 'two words' }, stdin: bytesOf('given\n') },
        ...limits,
        onOutput: (part) => parts.push(part),
      })
      deepEqual([said.end, said.exit_code], ['exited', 7])
      equal(textOf(said).replace('to stderr\n', ''), '/tmp\nnobody\ngiven\na b|$HOME||two words|hello world|')
      ok(textOf(said).includes('to stderr\n'))
      equal(Buffer.concat(parts).toString(), textOf(said))
      equal(textOf(await run(box, 'pwd; id -u')), '/work\n0\n')
      for (const bad of [{ argv: ['/no/such/program'] }, { user: 'no-such-user' }, { cwd: '/no/such/place' }] as Partial<MachineExec>[]) {
        const { end, exit_code, head } = await box.exec({ argv: ['true'], ...limits, ...bad })
        deepEqual([JSON.stringify(bad), end, exit_code, head.length > 20], [JSON.stringify(bad), 'exited', 126, true])
      }
      equal((await run(box, 'kill -9 $$')).exit_code, 137)
    },
  },
  {
    rule: 'MACH40',
    name: 'a command is given input while it runs, in answer to what it says, until that ends; one that ends before leaves it',
    check: async (open) => {
      await using box = await opened(open)
      const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
      async function* input() {
        yield bytesOf('first\n')
        await asked
        yield bytesOf('second\n')
      }
      const said = await box.exec({
        argv: ['sh', '-c', 'read one; echo "got $one"; read two; cat; echo "and $two"'],
        ...limits,
        input: input(),
        onOutput: () => ask(),
      })
      deepEqual([said.exit_code, textOf(said)], [0, 'got first\nand second\n'])
      const never = new ReadableStream<Uint8Array>({})
      deepEqual((await box.exec({ argv: ['true'], ...limits, input: never })).exit_code, 0)
    },
  },
  {
    rule: 'MACH2',
    name: 'of a long output the head and the tail are kept to the byte, and what lies between is counted',
    check: async (open) => {
      await using box = await opened(open)
      const said = await box.exec({ argv: ['seq', '1', '200000'], timeout_ms: limits.timeout_ms, head_bytes: 4, tail_bytes: 7 })
      deepEqual([text(said.head), text(said.tail), said.omitted_bytes], ['1\n2\n', '200000\n', 1_288_895 - 11])
      const none = await box.exec({ argv: ['echo', 'x'], timeout_ms: limits.timeout_ms, head_bytes: 0, tail_bytes: 0 })
      deepEqual([none.head.length, none.tail.length, none.omitted_bytes], [0, 0, 2])
    },
  },
  {
    rule: 'MACH3',
    name: 'a time limit ends all that a command began, also what left it, whatever it does about signals; others go on',
    check: async (open) => {
      await using box = await opened(open)
      equal((await run(box, 'tmux new-session -d "sleep 71" && sleep 72 >/dev/null 2>&1 &')).exit_code, 0)
      const beside = run(box, 'while [ ! -e /work/go ]; do sleep 0.05; done; echo went on')
      const said = await box.exec({
        argv: [
          'sh',
          '-c',
          `(setsid setsid sleep 73 >/dev/null 2>&1 &); sleep 74 & trap '' TERM HUP INT; echo began; while :; do sleep 75; done`,
        ],
        ...limits,
        timeout_ms: 700,
      })
      deepEqual([said.end, said.exit_code, textOf(said)], ['timeout', null, 'began\n'])
      equal(textOf(await run(box, `${sleepers}; touch /work/go`)), '71\n72\n')
      equal(textOf(await beside), 'went on\n')
    },
  },
  {
    rule: 'MACH4',
    name: 'a command that fails for want of memory is out of memory, by how the kernel counts it; the next one is none the worse',
    check: async (open) => {
      await using box = await opened(open)
      for (let again = 0; again < 2; again++) {
        const { end, exit_code } = await run(box, `perl -e 'my @a; push @a, "x" x 1e6 while 1'`)
        deepEqual([end, exit_code], ['out-of-memory', null])
        equal((await run(box, 'exit 3')).exit_code, 3)
      }
      equal((await run(box, `perl -e 'my @a; push @a, "x" x 1e6 while 1' || exit 0`)).exit_code, 0)
    },
  },
  {
    rule: 'MACH50',
    name: 'the command lines of all processes but the first are told from outside, whatever the programs in it say',
    check: async (open) => {
      await using box = await opened(open)
      deepEqual(await box.processes(), [])
      const began = await run(
        box,
        `setsid sleep 71 >/dev/null 2>&1 & printf '#!/bin/sh\n' > /work/ps; cp /work/ps /usr/bin/ps; tmux new-session -d 'exec sleep 72'`,
      )
      equal(began.exit_code, 0)
      const told = (await box.processes())?.map((command) => command.replace(/^tmux.*/, 'tmux')).sort()
      deepEqual(told, ['sleep 71', 'sleep 72', 'tmux'])
      ok(await box.endProcesses())
      deepEqual(await box.processes(), [])
      // Never the same process for long, and never none: each begins another and ends.
      equal((await run(box, `setsid perl -e 'while (1) { exit if fork }' >/dev/null 2>&1 &`)).exit_code, 0)
      for (let look = 0; look < 5; look++) ok((await box.processes())?.length)
      await box.stop()
      equal(await box.processes(), null)
    },
  },
  {
    rule: 'MACH7',
    name: 'all processes but the first are ended, of all users, what multiplies and what guards itself too; the disk stays as it was',
    check: async (open) => {
      await using box = await opened(open)
      const guards = `while :; do for p in /proc/[0-9]*; do n=\${p#/proc/}; [ $n = 1 ] || [ $n = $$ ] || kill -9 $n; done; done`
      const many = `perl -e 'while (1) { my $p = fork; exit if $p; select undef, undef, undef, 0.005 }'`
      const began = await run(
        box,
        `echo kept > /work/kept; tmux new-session -d 'sleep 81'; sudo -n -u nobody setsid sleep 82 >/dev/null 2>&1 &
          setsid ${many} >/dev/null 2>&1 & setsid sh -c "trap '' TERM HUP INT; while :; do sleep 0.01; done" >/dev/null 2>&1 &
          for tool in kill sh ps pkill sleep; do printf '#!/usr/bin/perl\\nexec "/usr/bin/perl", "-e", "sleep 83"' > /work/$tool; chmod +x /work/$tool; done
          sleep 0.2; cp /work/ps /work/pkill /usr/bin/; cp /work/kill /usr/bin/kill`,
      )
      equal(began.exit_code, 0)
      ok(await box.endProcesses())
      equal(textOf(await run(box, alone)), '1\n')
      const fight = box.exec({ argv: ['sh', '-c', guards], ...limits })
      await box.exec({ argv: ['sleep', '84'], ...limits, timeout_ms: 1000 }) // ended by one or the other
      ok(await box.endProcesses())
      equal((await fight).exit_code, 137)
      equal(textOf(await run(box, `${alone}; cat /work/kept`)), '1\nkept\n')
    },
  },
  {
    rule: 'MACH8',
    name: 'who gives up a trial, stops its machine or closes it ends what runs in it; from then on it does nothing',
    check: async (open) => {
      for (const how of ['given up', 'stopped', 'closed'] as const) {
        const giveUp = new AbortController()
        const box = await opened(open, {}, giveUp.signal)
        const { promise: began, resolve } = Promise.withResolvers<void>()
        const running = box.exec({ argv: ['sh', '-c', 'echo began; sleep 99'], ...limits, onOutput: () => resolve() })
        await began
        if (how === 'given up') giveUp.abort()
        else if (how === 'stopped') await box.stop()
        else await box[Symbol.asyncDispose]()
        equal((await running).end, 'unavailable')
        equal((await run(box, 'true')).end, 'unavailable')
        equal(await box.upload('/x', []), 'unavailable')
        deepEqual(await box.download('/etc', 1e6), { ok: false, reason: 'unavailable' })
        equal(await box.endProcesses(), false)
        await box[Symbol.asyncDispose]()
      }
    },
  },
  {
    rule: 'MACH9',
    name: 'a machine has nothing of its host and nothing of another: no socket, folder, variable or process; without a network only itself',
    check: async (open) => {
      process.env.BENCH_CONTRACT_WORD = 'of-the-host'
      try {
        await using one = await opened(open)
        await using two = await opened(open)
        equal((await run(one, 'echo mark > /tmp/mark; sleep 91 >/dev/null 2>&1 &')).exit_code, 0)
        const seen = textOf(
          await run(
            two,
            `env; ls /tmp /run/docker.sock /var/run/docker.sock 2>/dev/null; ${sleepers}; grep -c ' /sys/fs/cgroup\\| /host' /proc/self/mounts >/dev/null
              tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '; cat /etc/resolv.conf | grep -c nameserver; grep ^Cap /proc/self/status | sort -u`,
          ),
        )
        ok(!/mark|of-the-host|docker\.sock|^91$/m.test(seen), seen)
        ok(/^lo$/m.test(seen) && !/^eth/m.test(seen), seen)
        ok(!/CapEff:\t0000003fffffffff|CapEff:\t000001ffffffffff/.test(seen), seen)
      } finally {
        delete process.env.BENCH_CONTRACT_WORD
      }
    },
  },
  {
    rule: 'MACH10',
    name: 'a machine is a whole system: root may install and own files, sudo and tmux work, processes whose parents are gone do not pile up',
    check: async (open) => {
      await using box = await opened(open)
      const said = await run(
        box,
        `useradd -m someone && chown someone /work && echo 'someone ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/someone && touch /usr/bin/new
          su someone -c 'sudo -n id -u' 2>/dev/null; tmux new-session -d -x 160 -y 40 && tmux list-sessions | wc -l; nproc >/dev/null
          for i in 1 2 3 4 5; do (setsid sh -c 'sleep 0.01 &' &); done; sleep 0.5; ps -eo stat | grep -c ^Z; cat /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null ||
          cat /sys/fs/cgroup/memory.max`,
      )
      equal(textOf(said), `0\n1\n0\n${256 * 1024 ** 2}\n`)
    },
  },
]

export const limits = { timeout_ms: 30_000, head_bytes: 65_536, tail_bytes: 1000 }
/** Seconds of the `sleep`s that run. */
const sleepers = `ps -eo args | sed -n 's/^sleep \\([0-9][0-9]\\)$/\\1/p' | sort`
/** How many processes there are beside those that count them, by what the kernel lists. */
const alone = `perl -e 'opendir(D, "/proc"); print scalar(grep { /^[0-9]+$/ && $_ != $$ && $_ != getppid } readdir D), "\\n"'`

export async function opened(open: OpenForMachineContract, changes: Partial<MachineSpec> = {}, signal?: AbortSignal): Promise<Box> {
  const outcome = await open(changes, signal)
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  return outcome.value
}

export const run = (box: Machine, script: string): Promise<MachineExecResult> => box.exec({ argv: ['bash', '-c', script], ...limits })
export const bytesOf = (words: string): Uint8Array => new TextEncoder().encode(words)
export const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
export const textOf = ({ head, tail }: MachineExecResult): string => text(head) + text(tail)
