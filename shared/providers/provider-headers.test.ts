import { expect, test } from 'vitest'
import { ProviderHeaders, secretsOf, sentHeaders } from './provider-headers.ts'

test('[PROV23] a header’s value is a secret unless it is said to be shown, and all of them are sent', () => {
  const headers = ProviderHeaders.parse({ 'X-PreReleasePassword': 'sesame open now', 'X-Title': { shown: 'bench' } })
  expect(sentHeaders({ headers }, 'cpk_1')).toEqual({
    'x-prereleasepassword': 'sesame open now',
    'x-title': 'bench',
    authorization: 'Bearer cpk_1',
  })
  expect(secretsOf({ headers, api_key: 'cpk_1' })).toEqual(['cpk_1', 'sesame open now'])
  expect([sentHeaders({}, null), secretsOf({ api_key: null })]).toEqual([{}, []])
})

test('[PROV23] headers that would make another request of it, or hide a second one, are refused', () => {
  const wrong = [
    { Host: 'x' },
    { 'content-length': '1' },
    { 'bad name': 'x' },
    { 'X-A': 'one\r\nX-B: two' },
    { 'X-A': '' },
    { 'x-a': '1', 'X-A': '2' },
  ]
  for (const headers of wrong) expect([headers, ProviderHeaders.safeParse(headers).success]).toEqual([headers, false])
})
