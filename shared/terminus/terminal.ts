import type { Outcome } from '../contract/failure.ts'
import { strip } from '../python/text.ts'
import type { Machine } from '../solvers/machine.ts'
import type { Screen } from '../terminal/screen.ts'
import { findTmux, type TmuxFound } from './install-tmux.ts'
import { type LongOutput, limitOutput } from './limit-output.ts'
import { lookAtPane } from './look-at-pane.ts'
import { machineLost, openShell, type Ran, type Shell } from './machine-shell.ts'
import { headed, newPaneText, type PaneBuffer } from './pane-text.ts'
import { openRecording, type Recording } from './recording.ts'
import type { Harness } from './reply.ts'
import { sendKeys } from './send-keys.ts'
import type { TerminalClock } from './terminal-clock.ts'

/** The size of the terminal, in columns and rows. */
const size = { width: 160, height: 40 }
/** Bytes of one piece of the recording. */
const pieceBytes = 262_144

/** How the two harnesses start their session. */
const starts: Readonly<
  Record<Harness, { session: string; command: readonly string[]; history(session: string): readonly string[]; after: readonly string[] }>
> = {
  // The limit holds for windows that are opened later: the first one keeps tmux's own. As in Harbor.
  harbor: { session: 'terminus-2', command: ['bash --login'], history: () => [], after: ['set-option', '-g', 'history-limit', '10000000'] },
  'terminal-bench': {
    session: 'agent',
    command: [],
    history: (session) => [';', 'set-option', '-t', session, 'history-limit', '50000'],
    after: [],
  },
}

export type TerminalOptions = {
  machine: Machine
  clock: TerminalClock
  harness: Harness
  /** Who works at the terminal; left out: the image's own user. */
  user?: string | undefined
  /** Variables that the session's programs get. */
  env?: Readonly<Record<string, string>>
  /** Whether tmux may be installed where the image has none, which changes the machine. */
  install: boolean
  /** A file in the machine that gets what the pane writes, from which the recording is made. */
  pane_log?: string
  /** A session beside the one of who works. One of this name that is there is ended, or with `attach` taken as it is. */
  session?: { name: string; attach: boolean }
}

/** Whether keys reached the session; one that has ended takes none. */
export type Sent = 'sent' | 'session-ended'

export type Terminal = {
  tmux: TmuxFound
  recording: Recording
  /** Types keys and waits until `wait_sec` seconds have passed since. */
  send(keys: string, wait_sec: number): Promise<Outcome<Sent>>
  /** Types a command line and waits until it has ended, or so many seconds. Keys that end no line are typed and not waited for. */
  sendBlocking(keys: string, most_sec: number): Promise<Outcome<Sent | 'timeout'>>
  /** What is new since it was last asked for, under a heading, or the visible screen; at most 10,000 bytes. */
  observe(): Promise<Outcome<string>>
  /** The screen as it is, all of its rows. */
  screen(): Promise<Outcome<string>>
  /** The whole pane: the screen and what has left it, as far as tmux keeps it. */
  pane(): Promise<Outcome<string>>
  alive(): Promise<Outcome<boolean>>
  /** The screen with its colours and cursor, for whoever watches; null where it cannot be had. */
  look(clean: (text: string) => string): Promise<Screen | null>
}

/**
 * A terminal in a machine: a tmux session of 160 by 40, driven by commands from outside. What the harness that is followed does not do is not done here
 * either. Everything fails as the machine does, never for what runs inside.
 */
export async function openTerminal(options: TerminalOptions): Promise<Outcome<Terminal>> {
  const { machine, clock, harness, install, env = {}, pane_log = '/tmp/terminus.pane' } = options
  const shell = openShell(machine, options.user)
  const tmux = await findTmux(openShell(machine, 'root'), clock, install)
  if (!tmux.ok) return tmux
  const { command, history, after, ...usual } = starts[harness]
  const session = options.session?.name ?? usual.session
  const terminal = (): Outcome<Terminal> => ({
    ok: true,
    value: createTerminal({ shell, clock, harness, session, pane_log, tmux: tmux.value }),
  })
  if (options.session) {
    const { attach } = options.session
    const there = await shell({ argv: ['tmux', attach ? 'has-session' : 'kill-session', '-t', `=${session}`] })
    if (!there.ok) return there
    if (attach && there.value.exit_code === 0) return terminal()
  }
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  const opened = [
    'new-session',
    ...variables,
    '-x',
    `${size.width}`,
    '-y',
    `${size.height}`,
    '-d',
    '-s',
    session,
    ...command,
    ...history(session),
  ]
  const piped = [';', 'pipe-pane', '-t', session, `cat > ${pane_log}`]
  const started = await shell({ argv: ['tmux', ...opened, ...piped], env: { TERM: 'xterm-256color', SHELL: '/bin/bash' } })
  if (!started.ok) return started
  if (started.value.exit_code !== 0)
    return { ok: false, failure: machineLost('unavailable', `tmux could not start a session: ${started.value.text.trim()}`) }
  if (after.length > 0) {
    const set = await shell({ argv: ['tmux', ...after] })
    if (!set.ok) return set
  }
  return terminal()
}

type Inside = { shell: Shell; clock: TerminalClock; harness: Harness; session: string; pane_log: string; tmux: TmuxFound }

function createTerminal({ shell, clock, harness, session, pane_log, tmux }: Inside): Terminal {
  const recording = openRecording(size, clock.now)
  const record = openPaneReader(shell, pane_log, recording)
  const capture = (whole: boolean) => shell({ argv: ['tmux', 'capture-pane', '-p', ...(whole ? ['-S', '-'] : []), '-t', session] })
  const screen = async (): Promise<Outcome<string>> => {
    const shown = await capture(false)
    return shown.ok ? { ok: true, value: shown.value.text } : shown
  }
  const alive = async (): Promise<Outcome<boolean>> => {
    const found = await shell({ argv: ['tmux', 'has-session', '-t', session] })
    return found.ok ? { ok: true, value: found.value.exit_code === 0 } : found
  }
  const type = async (keys: readonly string[]): Promise<Outcome<Sent>> => {
    const sent = await sendKeys(shell, session, keys, harness)
    if (!sent.ok) return sent
    // The first harness of Terminal-Bench does not look whether keys were taken.
    if (sent.value.exit_code === 0 || harness === 'terminal-bench') return { ok: true, value: 'sent' }
    const still = await alive()
    if (!still.ok) return still
    if (!still.value) return { ok: true, value: 'session-ended' }
    return { ok: false, failure: machineLost('unavailable', `tmux did not take keys: ${sent.value.text.trim()}`) }
  }
  let before: PaneBuffer | null = null
  return {
    tmux,
    recording,
    screen,
    pane: async () => {
      const shown = await capture(true)
      return shown.ok ? { ok: true, value: textOf(shown.value) } : shown
    },
    alive,
    look: (clean) => lookAtPane(shell, session, size, clean),
    async send(keys, wait_sec) {
      const began = clock.now()
      const sent = await type([keys])
      const rest = wait_sec * 1000 - (clock.now() - began)
      if (sent.ok && sent.value === 'sent' && rest > 0) await clock.wait(rest)
      await record()
      return sent
    },
    async sendBlocking(keys, most_sec) {
      const line = endsLine(keys) ? withoutEnd(keys) : null
      const sent = await type(line === null ? [keys] : [...line, '; tmux wait -S done', 'Enter'])
      if (!sent.ok || sent.value !== 'sent' || line === null) return sent
      const argv = ['timeout', `${most_sec}s`, 'tmux', 'wait', 'done'] as const
      const waited = await shell({ argv, timeout_ms: Math.min(Math.max(0, most_sec) * 1000, 2 ** 31) + 60_000 })
      await record()
      if (!waited.ok) return waited
      return { ok: true, value: waited.value.exit_code === 0 ? 'sent' : 'timeout' }
    },
    async observe() {
      const now = await capture(true)
      if (!now.ok) return now
      const known = before
      before = now.value.omitted_bytes === 0 ? { text: now.value.text } : 'too-long'
      const fresh = known === null ? null : newPaneText(known, now.value.text)
      if (fresh !== null && (strip(fresh) || now.value.omitted_bytes > 0))
        return { ok: true, value: limitOutput(longOutput('New Terminal Output:', fresh, now.value)) }
      const shown = await screen()
      return shown.ok ? { ok: true, value: limitOutput(`Current Terminal Screen:\n${shown.value}`) } : shown
    },
  }
}

/** What was said, with a line in place of what was too much to be held. */
function textOf({ text, omitted_bytes, tail }: Ran): string {
  return omitted_bytes === 0 ? text : `${text}\n[${omitted_bytes} bytes left out]\n${new TextDecoder().decode(tail)}`
}

function longOutput(heading: string, fresh: string, { omitted_bytes, tail }: Ran): LongOutput {
  const rest = omitted_bytes === 0 ? '' : new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(tail)
  return headed(heading, fresh, { omitted_bytes, tail: rest })
}

const enterKeys = ['Enter', 'C-m', 'KPEnter', 'C-j', '^M', '^J']
const endsLine = (keys: string): boolean => enterKeys.includes(keys) || /[\r\n]$/.test(keys)

/** The keys without the line's end, so that a command can be put behind it; none where nothing is left. */
function withoutEnd(keys: string): string[] {
  const line = enterKeys.includes(keys) ? '' : keys.replace(/[\r\n]+$/, '')
  if (line === '') return []
  return endsLine(line) ? withoutEnd(line) : [line]
}

/** Reads on in the pane's log after each look at it. Where there is none, or it cannot be read, nothing is recorded. */
function openPaneReader(shell: Shell, path: string, recording: Recording): () => Promise<void> {
  let read = 0
  return async () => {
    const argv = ['tail', '-c', `+${read + 1}`, path] as const
    const part = await shell({ argv, head_bytes: pieceBytes, tail_bytes: pieceBytes, timeout_ms: 10_000 })
    if (!part.ok || part.value.exit_code !== 0) return
    const { head, tail, omitted_bytes } = part.value
    recording.output(head)
    recording.left(omitted_bytes)
    recording.output(tail)
    read += head.length + omitted_bytes + tail.length
  }
}
