import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import * as z from 'zod'
import { chromiumPath } from '../checks/chromium-path.ts'
import { writeInWorkerd } from './bundle-in-workerd.ts'
import { bundleBrowserWorker, verifyPage } from './bundle-page.ts'
import { benchKey } from './large-run.ts'
import { costOf, descendants } from './process-cost.ts'

const usage = `npm run bench -- bundle [options]

  --trials 100000  trials of the run
  --bytes 20000    bytes of text of each
  --heap 128       limit of the heap in Node, in workerd and in Chromium, in MB
  --file PATH      verify this bundle of an earlier measurement, and write none
  --only NAME      node, workerd or chromium`

const Part = z.object({ said: z.string(), seconds: z.number(), heap_mb: z.number(), peak_mb: z.number() })
type Part = z.infer<typeof Part>
const Verified = z.object({ valid: z.literal(true), rescored: z.int() })
const mostMb = 150

/** Writes and verifies the signed ZIP of a large run under a limited heap, and verifies it in Chromium. Exit code 1 above 150 MB of heap. */
export async function bundle(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      trials: { type: 'string', default: '100000' },
      bytes: { type: 'string', default: '20000' },
      heap: { type: 'string', default: '128' },
      file: { type: 'string' },
      only: { type: 'string' },
    },
  })
  if (![values.trials, values.bytes, values.heap].every((text) => Number(text) > 0)) {
    console.error(usage)
    return 2
  }
  const directory = mkdtempSync(join(tmpdir(), 'bench-bundle-'))
  const path = values.file ?? join(directory, 'bundle.zip')
  const parts: Part[] = []
  const tell = (name: string, part: Part): void => {
    parts.push(part)
    show(name, part)
  }
  try {
    const wanted = (name: string) => values.only === undefined || values.only === name
    if (wanted('workerd')) tell('workerd writes', await writeThere(values.trials, values.bytes, values.heap))
    if (!values.file && values.only !== 'workerd')
      tell('Node writes', await runPart(values.heap, ['write', path, values.trials, values.bytes]))
    if (wanted('node')) tell('Node verifies', await runPart(values.heap, ['verify', path]))
    if (wanted('chromium')) tell('Chromium verifies', await verifyInBrowser(path, values.heap))
    return parts.every(({ heap_mb }) => heap_mb < mostMb) ? 0 : 1
  } finally {
    rmSync(directory, { recursive: true })
  }
}

async function writeThere(trials: string, bytes: string, heapMb: string): Promise<Part> {
  const { seconds, came_mb, more_mb, peak_mb } = await writeInWorkerd(trials, bytes, heapMb)
  return { said: `${came_mb.toFixed(0)} MiB came`, seconds, heap_mb: more_mb, peak_mb }
}

function show(name: string, { said, seconds, heap_mb, peak_mb }: Part): void {
  console.log(
    `${name.padEnd(18)} ${seconds.toFixed(1).padStart(6)} s  heap and buffers ${heap_mb.toFixed(0)} MB, process ${peak_mb.toFixed(0)} MB at most  ${said}`,
  )
}

async function runPart(heapMb: string, args: string[]): Promise<Part> {
  const child = spawn(process.execPath, [`--max-old-space-size=${heapMb}`, join(import.meta.dirname, 'bundle-part.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  for await (const chunk of child.stdout) out += String(chunk)
  const code = child.exitCode ?? (await new Promise<number | null>((done) => child.once('exit', done)))
  if (code !== 0) throw new Error(`${args[0]} ended with exit code ${code}`)
  return Part.parse(JSON.parse(out.trim().split('\n').at(-1) ?? ''))
}

/** The page's own worker in Chromium. What it takes is what the renderer has beyond an empty page. */
async function verifyInBrowser(path: string, heapMb: string): Promise<Part> {
  const script = await bundleBrowserWorker()
  const server = createServer((request, response) => {
    const isScript = request.url === '/worker.js'
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' }).end(isScript ? script : verifyPage)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const browser = await chromium.launch({
    executablePath: chromiumPath!,
    args: [`--js-flags=--max-old-space-size=${heapMb} --max-semi-space-size=4`, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })
  let watch: NodeJS.Timeout | undefined
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`) // it listens on a port
    await page.locator('input').setInputFiles(path)
    const empty = rendererMb()
    let most = empty
    watch = setInterval(() => {
      most = Math.max(most, rendererMb())
    }, 100)
    const begun = performance.now()
    const { public_key, fingerprint } = benchKey
    const keys = [{ public_key, fingerprint, valid_from: '2026-01-01T00:00:00Z', retired_at: null }]
    const { rescored } = Verified.parse(await page.evaluate(`verify(${JSON.stringify(keys)})`))
    return {
      said: `verified, ${rescored} scores computed anew`,
      seconds: (performance.now() - begun) / 1000,
      heap_mb: most - empty,
      peak_mb: most,
    }
  } finally {
    clearInterval(watch)
    await browser.close()
    server.close()
  }
}

/** What renderers of Chromium hold, in MiB. */
function rendererMb(): number {
  const renderers = descendants(process.pid).filter((pid) => commandOf(pid).includes('--type=renderer'))
  return Math.max(0, ...renderers.map((pid) => costOf(pid).peak_mb))
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
