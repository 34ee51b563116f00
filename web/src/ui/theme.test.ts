import { expect, test } from 'vitest'
import { contentPolicy } from '../content-policy.ts'
import { themeOf } from './theme.ts'

test('[UI17] the theme is read from the cookie, and from nothing else', () => {
  expect(['theme=dark', 'a=1; theme=light; b=2', 'theme=system', 'mytheme=dark', 'theme=darker', '', null].map(themeOf)).toEqual([
    'dark',
    'light',
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('[UI18] the policy allows own files and this page’s nonce only', () => {
  const policy = Object.fromEntries(
    contentPolicy('n0')
      .split('; ')
      .map((one) => [one.split(' ')[0], one.split(' ').slice(1).join(' ')]),
  )
  expect(policy['default-src']).toBe("'none'")
  expect(policy['script-src']).toBe("'self' 'nonce-n0'")
  expect(policy['frame-ancestors']).toBe("'none'")
  expect(Object.values(policy).join(' ')).not.toMatch(/https?:|\*|unsafe-eval/)
})
