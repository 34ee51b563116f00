import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, vi, test as vitestTest } from 'vitest'
import { rowRuns, screenLines } from '#shared/terminal/draw-screen.ts'
import type { Harness } from '#shared/terminus/reply.ts'
import { openTerminal, type Terminal } from '#shared/terminus/terminal.ts'
import type { TerminalClock } from '#shared/terminus/terminal-clock.ts'
import { hostMachine } from './testing/host-machine.ts'

const hasTmux = spawnSync('tmux', ['-V']).status === 0
const test = vitestTest.skipIf(!hasTmux && process.env.REQUIRE_ALL !== '1')
const folders: string[] = []

afterEach(async () => {
  for (const folder of folders.splice(0)) {
    spawnSync('tmux', ['kill-server'], { env: { PATH: process.env.PATH, TMUX_TMPDIR: folder } })
    // The shell that lost its terminal may still be ending.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
})

/** A terminal on this host whose waits end when something in it says `tmux wait -S ready`, however long they are. */
async function atHost(harness: Harness = 'harbor'): Promise<{ terminal: Terminal; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-terminal-'))
  folders.push(folder)
  await writeFile(join(folder, '.bash_profile'), "PS1='$ '\n")
  await writeFile(join(folder, '.bashrc'), "PS1='$ '\n")
  const machine = hostMachine(folder)
  const clock: TerminalClock = {
    now: () => 0,
    wait: async () => {
      await machine.exec({ argv: ['tmux', 'wait', 'ready'], timeout_ms: 20_000, head_bytes: 0, tail_bytes: 0 })
    },
  }
  const opened = await openTerminal({ machine, clock, harness, install: false, env: { GREETING: 'a b' }, pane_log: join(folder, 'pane') })
  if (!opened.ok) throw new Error(opened.failure.detail)
  return { terminal: opened.value, folder }
}

const observed = async ({ observe }: Terminal): Promise<string> => {
  const seen = await observe()
  return seen.ok ? seen.value : seen.failure.detail
}
const ready = '; tmux wait -S ready\n'

test('[TERM19] commands run in a login shell of 160 by 40, and what they print is seen and recorded', async () => {
  const { terminal } = await atHost()
  expect(terminal.tmux.from).toBe('image')
  const first = await observed(terminal)
  expect(first).toMatch(/^Current Terminal Screen:\n/)
  expect(first.split('\n')).toHaveLength(42)
  await terminal.send(`echo "$GREETING $(tput cols)x$(tput lines) $(shopt login_shell | tr '\\t' ' ')"${ready}`, 1)
  const seen = await observed(terminal)
  expect(seen).toMatch(/^New Terminal Output:\n/)
  expect(seen).toContain('a b 160x40 login_shell')
  expect(seen).toMatch(/login_shell +on/)
  expect(terminal.recording.asciicast()).toContain('a b 160x40 login_shell')
})

test('[TERM19] special keys are keys, other text is text, and an option is none', async () => {
  const { terminal } = await atHost()
  // Keys that arrive after this signal go to `cat`, even if it has not started yet.
  await terminal.send(`tmux wait -S ready; cat -v; tmux wait -S ready\n`, 1)
  for (const keys of ['-l', ' Escape', 'Escape', "'$(id)'é", 'Enter', 'C-d']) await terminal.send(keys, keys === 'C-d' ? 1 : 0)
  expect(await observed(terminal)).toContain("-l Escape^['$(id)'M-CM-)")
})

test('[TERM19] 40,000 bytes of keys arrive whole, line by line', async () => {
  const { terminal, folder } = await atHost()
  const lines = Array.from({ length: 800 }, (_, index) => `line ${index} 'q' "$x" ${'é'.repeat(18)}`)
  const keys = `cat > ${folder}/out <<'EOF'\n${lines.join('\n')}\nEOF\n`
  expect(new TextEncoder().encode(keys).length).toBeGreaterThan(40_000)
  await terminal.send(keys, 0)
  await terminal.send(`wc -l -c < ${folder}/out; tail -1 ${folder}/out${ready}`, 1)
  const seen = await observed(terminal)
  const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`).length
  expect(seen).toMatch(new RegExp(`800 +${bytes}`))
  expect(seen).toContain(lines.at(-1))
})

test('[TERM19] output of more than the screen is seen from where it began, and limited', async () => {
  const { terminal } = await atHost()
  await terminal.send(`clear${ready}`, 1)
  await observed(terminal)
  await terminal.send(`seq -f 'n%.0f' 1 100${ready}`, 1)
  const some = await observed(terminal)
  expect(some).toContain('\nn1\nn2\n')
  expect(some).toContain('\nn100\n')
  await terminal.send(`seq -f 'm%.0f' 1 1900${ready}`, 1)
  const much = await observed(terminal)
  expect(much).toMatch(/\n\[\.\.\. output limited to 10000 bytes; \d+ interior bytes omitted \.\.\.\]\n/)
  expect(much).toContain('\nm1900\n')
  expect(new TextEncoder().encode(much).length).toBeLessThan(10_100)
})

test('[TERM19] a command that is waited for ends the wait when it has ended, and one that goes on is told of', async () => {
  const { terminal } = await atHost('terminal-bench')
  expect(await terminal.sendBlocking('echo done-$((1+1))\n', 30)).toEqual({ ok: true, value: 'sent' })
  expect(await terminal.screen()).toMatchObject({ value: expect.stringContaining('done-2') })
  expect(await terminal.sendBlocking('cat\n', 0.1)).toEqual({ ok: true, value: 'timeout' })
})

test('[TERM19] a session that is left has ended, and takes no keys', async () => {
  const { terminal, folder } = await atHost()
  expect(await terminal.alive()).toEqual({ ok: true, value: true })
  spawnSync('tmux', ['kill-server'], { env: { PATH: process.env.PATH, TMUX_TMPDIR: folder } })
  expect(await terminal.alive()).toEqual({ ok: true, value: false })
  expect(await terminal.send('ls\n', 0)).toEqual({ ok: true, value: 'session-ended' })
})

test('[TERM19] whoever watches sees the screen with its colours and its cursor, without secrets, and changes nothing', async () => {
  const { terminal } = await atHost()
  await terminal.send(`clear; printf '\\033[1;32mgreen\\033[m \\033(0lqk\\033(B secret-%s\\n' word${ready}`, 1)
  // The shell says that it is ready before it has written its prompt.
  const prompted = async () => {
    const screen = await terminal.look((text) => text)
    return screen?.column === 2 && screen
  }
  const seen = await vi.waitUntil(prompted, { timeout: 20_000 })
  const before = await terminal.screen()
  const at = screenLines(seen).findIndex((line) => line.startsWith('green'))
  expect(rowRuns(seen.grid[at]!)[0]).toMatchObject({ text: 'green', style: { bold: true, foreground: 2 } })
  expect(screenLines(seen)[at]).toBe('green ┌─┐ secret-word')
  expect([seen.columns, seen.rows, seen.column, seen.row]).toEqual([160, 40, 2, at + 1])
  const safe = await terminal.look((text) => text.replaceAll('secret-word', '[key]'))
  expect(screenLines(safe!).join('\n')).toContain('green ┌─┐ [key]')
  expect(await terminal.screen()).toEqual(before)
})
