import { chromium } from 'playwright-core'
import { chromiumPath } from '../../prove/checks/chromium-path.ts'

/** Development only: `node web/dev/shoot.ts <base url> <out dir> <name=path>...` takes each page in light, dark and at 390 px, and prints console errors. */
const [base, out, ...pages] = process.argv.slice(2)
const browser = await chromium.launch({
  ...(chromiumPath && { executablePath: chromiumPath }),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
})
const looks = { light: { width: 1440, height: 900 }, dark: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
const only = process.env.LOOKS?.split(',') ?? Object.keys(looks)
for (const [look, viewport] of Object.entries(looks)) {
  if (!only.includes(look)) continue
  const page = await browser.newPage({
    viewport,
    colorScheme: look === 'dark' ? 'dark' : 'light',
    deviceScaleFactor: look === 'phone' ? 2 : 1,
  })
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && console.log(look, message.text().slice(0, 300)))
  page.on('pageerror', (error) => console.log(look, error.stack?.slice(0, 600)))
  for (const entry of pages) {
    const at = entry.indexOf('=')
    await page.goto(base + entry.slice(at + 1))
    await page.waitForTimeout(Number(process.env.WAIT ?? 1200))
    const wide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
    if (wide) console.log(look, entry, 'scrolls sideways')
    await page.screenshot({ path: `${out}/${entry.slice(0, at)}-${look}.png`, fullPage: process.env.FULL === '1' })
  }
  await page.close()
}
await browser.close()
