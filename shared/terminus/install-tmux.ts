import type { Outcome } from '../contract/failure.ts'
import type { Shell } from './machine-shell.ts'
import type { TerminalClock } from './terminal-clock.ts'

/** Where the tmux of a machine came from: its image, a package manager, or its source. */
export type TmuxFound = { version: string; from: string }

/** As Harbor bounds it: one command of an installation, and all of them, in milliseconds. */
const mostOfCommandMs = 120_000
const mostOfAllMs = 240_000

/** Package managers in the order in which they are looked for, and how each installs without asking. */
const managers: readonly [string, string][] = [
  ['apt-get', 'DEBIAN_FRONTEND=noninteractive apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y tmux'],
  ['dnf', 'dnf install -y tmux'],
  ['yum', 'yum install -y tmux'],
  ['apk', 'apk add --no-cache tmux'],
  ['pacman', 'pacman -S --noconfirm tmux'],
  ['brew', 'brew install tmux'],
  ['pkg', 'ASSUME_ALWAYS_YES=yes pkg install -y tmux'],
  ['zypper', 'zypper install -y -n tmux'],
]

const buildDependencies =
  '(DEBIAN_FRONTEND=noninteractive apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y build-essential libevent-dev libncurses5-dev bison curl) || ' +
  "(yum groupinstall -y 'Development Tools' && yum install -y libevent-devel ncurses-devel curl) || " +
  "(dnf groupinstall -y 'Development Tools' && dnf install -y libevent-devel ncurses-devel curl) || " +
  'apk add --no-cache build-base libevent-dev ncurses-dev curl'
const release = 'https://github.com/tmux/tmux/releases/download/3.4/tmux-3.4.tar.gz'
const build = `cd /tmp && curl -fL ${release} -o tmux.tar.gz && tar -xzf tmux.tar.gz && cd tmux-3.4 && ./configure --prefix=/usr/local && make && make install`

/**
 * The tmux of a machine, which is installed where the image has none and `install` allows it: by the first package manager that is there, else
 * from source. `root` runs commands as root. Without one the trial fails with what the task's author must do: for
 * good, as another attempt has the same image, unless a command of the installation was cut off.
 * Nothing is scored for it.
 */
export async function findTmux(root: Shell, clock: TerminalClock, install: boolean): Promise<Outcome<TmuxFound>> {
  const present = await versionOf(root)
  if (!present.ok) return present
  if (present.value !== null) return { ok: true, value: { version: present.value, from: 'image' } }
  const began = clock.now()
  const tried: string[] = []
  let mayPass = false
  for (const [from, command] of install ? await ways(root) : []) {
    const left = mostOfAllMs - (clock.now() - began)
    if (left <= 0) break
    const done = await root({
      argv: ['sh', '-c', command],
      timeout_ms: Math.min(left, mostOfCommandMs),
      head_bytes: 2000,
      tail_bytes: 2000,
    })
    const version = await versionOf(root)
    if (!version.ok) return version
    if (version.value !== null) return { ok: true, value: { version: version.value, from } }
    mayPass ||= !done.ok
    tried.push(`${from}: ${done.ok ? `exit code ${done.value.exit_code}` : done.failure.reason}`)
  }
  const attempts = tried.length > 0 ? `, and it could not be installed (${tried.join('; ')})` : ''
  const detail = `The image of the task has no tmux${attempts}. Add tmux to the image of the task.`
  return { ok: false, failure: { at: 'sandbox', reason: 'unhealthy', retryable: mayPass, status: null, detail: detail.slice(0, 500) } }
}

async function ways(root: Shell): Promise<[string, string][]> {
  const found: [string, string][] = []
  for (const [name, command] of managers) {
    const there = await root({ argv: ['sh', '-c', `command -v ${name}`] })
    if (!there.ok || there.value.exit_code !== 0) continue
    found.push([name, command])
    break
  }
  return [...found, ['source', buildDependencies], ['source', build]]
}

/** What tmux says of its version; null where there is none. */
async function versionOf(root: Shell): Promise<Outcome<string | null>> {
  const ran = await root({ argv: ['tmux', '-V'] })
  if (!ran.ok) return ran
  const { exit_code, text } = ran.value
  return { ok: true, value: exit_code === 0 && text.startsWith('tmux') ? text.trim().slice(0, 60) : null }
}
