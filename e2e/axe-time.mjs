import axe from 'axe-core'
import { chromium } from 'playwright-core'

const b = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ['--no-sandbox', '--disable-gpu'] })
const c = await b.newContext({ viewport: { width: 1440, height: 900 }, bypassCSP: true })
const page = await c.newPage()
const { runs } = await (await fetch('http://127.0.0.1:8795/api/runs')).json()
for (const url of ['/', '/runs/' + runs[0].id, '/docs', '/settings']) {
  await page.goto('http://127.0.0.1:8795' + url)
  await page.waitForTimeout(1500)
  await page.evaluate(axe.source)
  for (const opt of [
    `{resultTypes:['violations']}`,
    `{resultTypes:['violations']}`,
    `{resultTypes:['violations'],selectors:false}`,
    `{resultTypes:['violations'],elementRef:false,selectors:false,rules:{region:{enabled:false},'heading-order':{enabled:false}}}`,
    `{resultTypes:['violations'],selectors:false,rules:{'color-contrast':{enabled:false}}}`,
    `{resultTypes:['violations'],selectors:false,runOnly:['color-contrast']}`,
  ]) {
    const t = performance.now()
    const v = await page.evaluate(
      `axe.run(document, ${opt}).then(r => r.violations.map(v => v.id + ' ' + v.impact + ' ' + v.nodes.length))`,
    )
    console.log(url.slice(0, 8), Math.round(performance.now() - t), opt, v.join(';'))
  }
  console.log(await page.evaluate(`document.querySelectorAll('*').length`))
}
await b.close()
