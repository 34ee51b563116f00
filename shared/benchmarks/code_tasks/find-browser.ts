import type { Outcome } from '../../contract/failure.ts'
import { sandboxLost } from '../../solvers/in-sandbox.ts'
import type { ExecResult, Sandbox } from '../../solvers/sandbox.ts'

/**
 * Where browsers of the Chromium family lie: the one without windows first, which opens pages in a third of the time. Debian's `chromium` is a script that wants
 * files of `/etc`, so its program comes before it.
 */
export const browserPaths = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/lib/chromium/chromium',
  'chromium',
  'google-chrome',
] as const

/** The sandbox is ours: a browser's own needs namespaces, which programs in ours may not make. Shared memory lies in files, which the sandbox limits. */
const flags = [
  '--headless',
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-dev-shm-usage',
  '--disable-breakpad',
]
const empty = [...flags, '--user-data-dir=/tmp/browser-check', '--dump-dom', 'about:blank']

/** A cold start takes some seconds where processors are busy. */
const versionMs = 20_000
const startMs = 60_000
const mostTries = 2

/** A browser that starts in this sandbox, with its version; or why there is none, in words that follow a semicolon. */
export type FoundBrowser = { path: string; version: string } | { path: null; why: string }

/**
 * Looks for a browser before anything of an answer is in the sandbox, and starts it on an empty page: what does not start here is not tested with, and its
 * absence is no failure. Only a sandbox that is lost is one.
 */
export async function findBrowser(box: Sandbox): Promise<Outcome<FoundBrowser>> {
  for (const path of browserPaths) {
    const version = await box.exec({ argv: [path, '--version'], timeout_ms: versionMs, output_bytes: 10_000 })
    if (version.end === 'unavailable') return lost()
    if (version.end !== 'exited' || version.exit_code !== 0) continue
    const said = textOf(version).trim().split('\n')[0]!.trim().slice(0, 100)
    // Retry a crashed start: load must not decide whether a browser tests the answer.
    let how = ''
    for (let tries = 0; tries < mostTries; tries++) {
      const started = await box.exec({ argv: [path, ...empty], timeout_ms: startMs, output_bytes: 100_000 })
      if (started.end === 'unavailable') return lost()
      if (started.end === 'exited' && started.exit_code === 0 && textOf(started).includes('<html>'))
        return { ok: true, value: { path, version: said } }
      how = started.end === 'exited' ? `it ended with exit code ${started.exit_code}` : `it ended as ${started.end}`
    }
    return { ok: true, value: { path: null, why: `${said} is there but does not start: ${how}` } }
  }
  return { ok: true, value: { path: null, why: 'no browser is there' } }
}

const lost = () => sandboxLost('The sandbox was gone while a browser was looked for.')
const textOf = ({ stdout }: ExecResult): string => new TextDecoder().decode(stdout)
