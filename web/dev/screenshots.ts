import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import * as z from 'zod'
import { chromiumPath } from '../../prove/checks/chromium-path.ts'

/**
 * `npm run screenshots [-- URL]`: the pictures of the README in light, dark and at the width of a phone, of a running service (by default that of
 * `npm start`): its start page, the newest run that anybody may see, and one of its items.
 * `npm run screenshots -- --states FOLDER`: every state of the pages, good and bad, as the browser's tests bring them about, for looking at.
 */
const root = resolve(import.meta.dirname, '..', '..')
const out = join(root, 'docs', 'screenshots')
const looks = {
  light: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
} as const

const RunList = z.object({ runs: z.array(z.object({ id: z.string() })) })
const Rows = z.object({ rows: z.array(z.object({ benchmark: z.string(), item_id: z.string(), outcome: z.string() })) })

if (process.argv[2] === '--states') process.exit(takeStates(resolve(process.argv[3] ?? join(root, '.data', 'states'))))
const base = (process.argv[2] ?? 'http://127.0.0.1:8787').replace(/\/+$/, '')
await takeAll(await pathsOf())

/** Runs the tests that walk through the states, on services of their own, and has them keep pictures. Gives their exit code. */
function takeStates(folder: string): number {
  mkdirSync(folder, { recursive: true })
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const args = [vitest, 'run', '--project', 'e2e', 'e2e/states.test.ts', 'e2e/recorded-run.test.ts', 'e2e/janus-run.test.ts']
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, E2E_SHOTS: folder } })
  console.log(folder)
  return status ?? 1
}

/** The pages to show by the names of their pictures: the start page, the newest run, and an item that was answered rightly. */
async function pathsOf(): Promise<Record<string, string>> {
  const { runs } = RunList.parse(await (await fetch(`${base}/api/runs?limit=1`)).json())
  const run = runs[0]
  if (!run) throw new Error(`${base} has no run to show.`)
  const { rows } = Rows.parse(await (await fetch(`${base}/api/runs/${run.id}/rows?limit=50`)).json())
  const row = rows.find(({ outcome }) => outcome === 'correct') ?? rows[0]
  return {
    start: '/',
    run: `/runs/${run.id}`,
    ...(row && { item: `/runs/${run.id}/items/${row.benchmark}/${encodeURIComponent(row.item_id)}` }),
  }
}

async function takeAll(paths: Record<string, string>): Promise<void> {
  mkdirSync(out, { recursive: true })
  const browser = await chromium.launch({
    ...(chromiumPath && { executablePath: chromiumPath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  try {
    for (const [look, options] of Object.entries(looks)) {
      const page = await browser.newPage({ ...options, reducedMotion: 'reduce' })
      for (const [name, path] of Object.entries(paths)) await take(page, base + path, join(out, `${name}-${look}.png`))
      await page.close()
    }
  } finally {
    await browser.close()
  }
}

/** A living page is never idle: it is taken when its content and its fonts are there. */
async function take(page: Page, url: string, path: string): Promise<void> {
  await page.goto(url)
  await page.locator('main').first().waitFor()
  await page.evaluate('document.fonts.ready')
  await page.waitForTimeout(1500)
  await page.screenshot({ path })
  console.log(path)
}
