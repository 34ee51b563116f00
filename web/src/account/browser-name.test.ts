import { expect, test } from 'vitest'
import { browserName } from './browser-name.ts'

test('[SIGN10] a browser is named as its user knows it', () => {
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  expect(browserName(chrome)).toBe('Chrome on Linux')
  expect(browserName(`${chrome} Edg/140.0.0.0`)).toBe('Edge on Linux')
  expect(browserName('Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0')).toBe('Firefox on Windows')
  expect(browserName('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile Safari/604')).toBe(
    'Safari on iOS',
  )
  expect([browserName('curl/8.5.0'), browserName('')]).toEqual(['Another program', 'Unknown browser'])
})
