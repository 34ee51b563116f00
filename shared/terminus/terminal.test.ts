import { expect, test } from 'vitest'
import { limitOutput } from './limit-output.ts'
import { newPaneText } from './pane-text.ts'
import { keepRecording } from './recording.ts'
import { areLong } from './send-keys.ts'
import { openTerminal, type Terminal, type TerminalOptions } from './terminal.ts'
import { recordingKit } from './testing/at-terminal.ts'
import { type FakeTmux, fakeTmux } from './testing/fake-tmux.ts'
import { virtualClock } from './testing/virtual-clock.ts'

async function opened(fake: FakeTmux, more: Partial<TerminalOptions> = {}) {
  const clock = virtualClock()
  const terminal = await openTerminal({ machine: fake.machine, clock, harness: 'harbor', install: false, ...more })
  if (!terminal.ok) throw new Error(terminal.failure.detail)
  return { terminal: terminal.value, clock }
}

const observed = async (terminal: Terminal): Promise<string> => {
  const seen = await terminal.observe()
  return seen.ok ? seen.value : seen.failure.reason
}

test('[TERM4] keys are sent as they stand, each in one command; what a command cannot hold is pasted', async () => {
  const fake = fakeTmux()
  const { terminal } = await opened(fake)
  const long = `${"it's ".repeat(8_000)}\n`
  for (const keys of ['echo "$(ls)" ; # x\n', 'Escape', '', '-l', 'a\0b', long]) await terminal.send(keys, 0)
  expect(fake.keys).toEqual(['echo "$(ls)" ; # x\n', 'Escape', '', '-l', 'ab', long])
  const sent = fake.commands.filter(([, verb]) => verb !== '-V' && /send-keys|buffer/.test(verb ?? ''))
  expect(sent[0]).toEqual(['tmux', 'send-keys', '-t', 'terminus-2', '--', 'echo "$(ls)" ; # x\n'])
  expect(sent.slice(-2)).toEqual([
    ['tmux', 'load-buffer', '-b', 'terminus-paste', '-'],
    ['tmux', 'paste-buffer', '-d', '-b', 'terminus-paste', '-t', 'terminus-2'],
  ])
  expect(sent).toHaveLength(7)
})

test('[TERM4] long are keys that make a quoted command of more than 16,000 bytes', () => {
  const room = 16_000 - 'tmux send-keys -t terminus-2 -- '.length
  expect(areLong('terminus-2', 'x'.repeat(room))).toBe(false)
  expect(areLong('terminus-2', 'x'.repeat(room + 1))).toBe(true)
  expect(areLong('terminus-2', `${'x'.repeat(room - 3)} `)).toBe(false)
  expect(areLong('terminus-2', `${'x'.repeat(room - 2)} `)).toBe(true)
  expect(areLong('terminus-2', "'".repeat(Math.floor((room - 2) / 5)))).toBe(false)
  expect(areLong('terminus-2', "'".repeat(Math.floor((room - 2) / 5) + 1))).toBe(true)
  expect(areLong('terminus-2', 'é'.repeat((room - 2) / 2))).toBe(false)
  expect(areLong('terminus-2', 'é'.repeat((room - 2) / 2 + 1))).toBe(true)
})

test('[TERM4] a tmux that takes less has what it refuses pasted', async () => {
  const fake = fakeTmux(undefined, (command) => (command.includes('send-keys') ? [1, 'command too long\n'] : undefined))
  const { terminal } = await opened(fake)
  expect(await terminal.send('ls\n', 0)).toEqual({ ok: true, value: 'sent' })
  expect(fake.keys).toEqual(['ls\n'])
})

test('[TERM5] a wait is counted from when keys began to be sent, and there is none for what is no time', async () => {
  const fake = fakeTmux()
  const { terminal, clock } = await opened(fake)
  const { exec } = fake.machine
  fake.machine.exec = async (request) => {
    if (request.argv[1] === 'send-keys') await clock.wait(300)
    return exec(request)
  }
  for (const seconds of [1, 0.2, 0, -5, Number.NaN]) await terminal.send('x', seconds)
  expect(clock.waits).toEqual([300, 700, 300, 300, 300, 300])
})

test('[TERM6] the first look is at the screen, later ones at what came since', async () => {
  const fake = fakeTmux()
  const { terminal } = await opened(fake)
  fake.pane.buffer = `${Array.from({ length: 50 }, (_, line) => `old ${line}`).join('\n')}\n$`
  expect(await observed(terminal)).toBe(`Current Terminal Screen:\n${fake.pane.buffer.split('\n').slice(-40).join('\n')}\n`)
  fake.pane.buffer += ' ls\nnew\n$'
  expect(await observed(terminal)).toBe('New Terminal Output:\n\n$ ls\nnew\n$\n')
  fake.pane.buffer = 'another screen'
  expect(await observed(terminal)).toBe(`Current Terminal Screen:\nanother screen${'\n'.repeat(40)}`)
})

test.each([
  ['a\nb', 'a\nb\nc', '\nb\nc'],
  ['  \n a\nb \n', '  \n a\nb\nc', ' \n a\nb\nc'],
  ['one', 'zero one two', 'one two'],
  ['', 'anything', 'anything'],
  ['gone', 'other', null],
  ['  😀\nb', '  😀\nb\nc', ' 😀\nb\nc'],
])('[TERM6] after %j, %j gives %j', (before, now, fresh) => {
  expect(newPaneText({ text: before }, now)).toBe(fresh)
})

test('[TERM6] a pane too long to be kept is shown with its ends, and as a screen after that', async () => {
  const fake = fakeTmux()
  const { terminal } = await opened(fake)
  await observed(terminal)
  fake.pane.buffer += 'x'.repeat(17 * 2 ** 20)
  expect(await observed(terminal)).toMatch(
    /^New Terminal Output:\nroot@box:\/app# x+\n\[\.\.\. output limited to 10000 bytes; 17815\d{3} interior bytes omitted \.\.\.\]\nx{4999}\n$/,
  )
  expect(await observed(terminal)).toMatch(/^Current Terminal Screen:/)
})

test('[TERM6] a limit keeps first and last 5,000 bytes and cuts no character', () => {
  expect(limitOutput('x'.repeat(10_000))).toBe('x'.repeat(10_000))
  const cut = limitOutput(`a${'é'.repeat(5_000)}`)
  expect(cut).toBe(`a${'é'.repeat(2_499)}\n[... output limited to 10000 bytes; 2 interior bytes omitted ...]\n${'é'.repeat(2_500)}`)
  expect(limitOutput({ head: 'a', omitted_bytes: 20_000, tail: 'b' })).toBe(
    'a\n[... output limited to 10000 bytes; 20000 interior bytes omitted ...]\nb',
  )
})

test('[TERM7] without tmux in the image the trial fails with what to do, or tmux is installed as Harbor installs it', async () => {
  const bare = fakeTmux(undefined, (command) => (command === 'tmux -V' ? [127, 'not found'] : undefined))
  const failed = await openTerminal({ machine: bare.machine, clock: virtualClock(), harness: 'harbor', install: false })
  expect(failed).toMatchObject({ ok: false, failure: { at: 'sandbox', reason: 'unhealthy', retryable: false } })
  expect(failed.ok ? '' : failed.failure.detail).toBe('The image of the task has no tmux. Add tmux to the image of the task.')
  const refusing = fakeTmux(undefined, (command) => (command === 'sh -c command -v apt-get' ? [0, ''] : [100, 'no network']))
  const forGood = await openTerminal({ machine: refusing.machine, clock: virtualClock(), harness: 'harbor', install: true })
  expect(forGood).toMatchObject({
    ok: false,
    failure: { reason: 'unhealthy', retryable: false, detail: expect.stringContaining('apt-get: exit code 100') },
  })
  let installed = false
  const installing = fakeTmux(undefined, (command) => {
    if (command === 'tmux -V') return installed ? undefined : [127, 'not found']
    if (command === 'sh -c command -v apk') return [0, '/sbin/apk']
    if (command === 'sh -c apk add --no-cache tmux') installed = true
    return installed && command.startsWith('sh') ? [0, ''] : undefined
  })
  const { terminal } = await opened(installing, { install: true })
  expect(terminal.tmux).toEqual({ version: 'tmux 3.4', from: 'apk' })
  expect(installing.requests.filter(({ user }) => user === 'root').every(({ argv }) => argv[1] !== 'new-session')).toBe(true)
  const offline = await openTerminal({ machine: bare.machine, clock: virtualClock(), harness: 'harbor', install: true })
  expect(offline.ok ? '' : offline.failure.detail).toContain('could not be installed (source: exit code 127; source: exit code 127)')
})

test('[TERM7] an installation has four minutes at most, and two for each command', async () => {
  const clock = virtualClock()
  const slow = fakeTmux(undefined, (command) =>
    command === 'tmux -V' ? [127, ''] : command.startsWith('sh -c command') ? [0, ''] : undefined,
  )
  const { exec } = slow.machine
  const times: number[] = []
  slow.machine.exec = async (request) => {
    if (request.argv[0] !== 'sh' || request.argv[2]?.startsWith('command -v')) return exec(request)
    times.push(request.timeout_ms)
    await clock.wait(request.timeout_ms)
    return { end: 'timeout', exit_code: null, head: new Uint8Array(), tail: new Uint8Array(), omitted_bytes: 0 }
  }
  const failed = await openTerminal({ machine: slow.machine, clock, harness: 'harbor', install: true })
  expect(times).toEqual([120_000, 120_000])
  expect(failed.ok ? '' : failed.failure.detail).toContain('apt-get: timeout; source: timeout')
})

test('[TERM8] a session is started as each harness starts it', async () => {
  const fake = fakeTmux()
  await opened(fake, { user: 'agent', env: { A: 'b c' }, pane_log: '/logs/agent/p' })
  expect(fake.commands).toEqual([
    ['tmux', '-V'],
    [
      'tmux',
      'new-session',
      '-e',
      'A=b c',
      '-x',
      '160',
      '-y',
      '40',
      '-d',
      '-s',
      'terminus-2',
      'bash --login',
      ';',
      'pipe-pane',
      '-t',
      'terminus-2',
      'cat > /logs/agent/p',
    ],
    ['tmux', 'set-option', '-g', 'history-limit', '10000000'],
  ])
  expect(fake.requests[1]).toMatchObject({ user: 'agent', env: { TERM: 'xterm-256color', SHELL: '/bin/bash' } })
  const first = fakeTmux()
  await opened(first, { harness: 'terminal-bench' })
  expect(first.commands[1]!.join(' ')).toBe(
    'tmux new-session -x 160 -y 40 -d -s agent ; set-option -t agent history-limit 50000 ; pipe-pane -t agent cat > /tmp/terminus.pane',
  )
  expect(first.commands).toHaveLength(2)
})

test('[TERM8] a machine that is gone or does not answer is a failure that may be spared the next attempt; memory that ran out is none', async () => {
  for (const end of ['unavailable', 'timeout'] as const) {
    const gone = fakeTmux(undefined, (command) => (command.includes('capture-pane') ? end : undefined))
    const { terminal } = await opened(gone)
    expect(await terminal.observe()).toMatchObject({ ok: false, failure: { at: 'sandbox', reason: end, retryable: true } })
  }
  const full = fakeTmux(undefined, (command) =>
    command.includes('send-keys') || command.includes('has-session') ? 'out-of-memory' : undefined,
  )
  const { terminal } = await opened(full)
  expect(await terminal.send('x', 0)).toEqual({ ok: true, value: 'session-ended' })
  const unwilling = fakeTmux(undefined, (command) => (command.includes('new-session') ? [1, 'no space left\n'] : undefined))
  const failed = await openTerminal({ machine: unwilling.machine, clock: virtualClock(), harness: 'harbor', install: false })
  expect(failed.ok ? '' : failed.failure.detail).toContain('could not start a session: no space left')
})

test('[TERM9] what the pane wrote is an asciicast with its times, kept as the recording of the trial', async () => {
  const fake = fakeTmux((keys, pane) => {
    pane.written += `${keys} ünï\u001b[0m`
  })
  const { terminal } = await opened(fake)
  terminal.recording.marker('Turn 1')
  await terminal.send('a', 1.5)
  await terminal.send('b', 0)
  const { kit } = recordingKit([])
  const bodies: string[] = []
  kit.keep = async ({ name, kind, media_type, body }) => {
    bodies.push(new TextDecoder().decode(body as Uint8Array))
    return { ok: true, value: { name, kind, media_type, bytes: 1, sha256: '0'.repeat(64) } }
  }
  expect(await keepRecording(terminal.recording, kit)).toMatchObject({ name: 'recording.cast', kind: 'recording' })
  const lines = bodies[0]!
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines[0]).toMatchObject({ version: 2, width: 160, height: 40 })
  expect(lines.slice(1)).toEqual([
    [0, 'm', 'Turn 1'],
    [1.5, 'o', 'a ünï\u001b[0m'],
    [1.5, 'o', 'b ünï\u001b[0m'],
  ])
  const { kit: poor } = recordingKit([])
  expect(await keepRecording(terminal.recording, poor)).toBeNull()
  expect(poor.notes[0]).toContain('The recording of the terminal could not be kept')
})

test('[TERM9] a recording has a bound and says what is missing', async () => {
  const fake = fakeTmux((_keys, pane) => {
    pane.written += 'x'.repeat(600_000)
  })
  const { terminal } = await opened(fake)
  for (let count = 0; count < 40; count++) await terminal.send('a', 0)
  const cast = terminal.recording.asciicast()
  expect(cast).toContain('[75712 bytes are left out]')
  expect(cast.length).toBeLessThan(17 * 2 ** 20 + 1000)
  expect(cast.trim().split('\n').at(-1)).toContain('the recording ends here')
  expect(cast.split('the recording ends here')).toHaveLength(2)
})
