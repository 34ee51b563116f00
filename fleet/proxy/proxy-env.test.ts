import { expect, test } from 'vitest'
import { proxyFor, throughProxy } from './proxy-env.ts'

const at = (url: string, env: Record<string, string>) => proxyFor(url, env)?.shown ?? null

test('[AGENT350] the proxy of an address is that of its scheme, in small letters first', () => {
  const env = { HTTP_PROXY: 'http://plain:3128', HTTPS_PROXY: 'http://secure:3129' }
  expect([at('http://box/v1', env), at('https://box/v1', env), at('ws://box', env), at('wss://box', env)]).toEqual([
    'http://plain:3128',
    'http://secure:3129',
    'http://plain:3128',
    'http://secure:3129',
  ])
  expect(at('http://box', { ...env, http_proxy: 'http://small:1' })).toBe('http://small:1')
  expect(at('https://box', { HTTP_PROXY: 'http://plain:3128' })).toBeNull()
  expect(at('https://box', { ALL_PROXY: 'http://all:1' })).toBe('http://all:1')
  expect([at('http://box', {}), at('http://box', { HTTP_PROXY: ' ' })]).toEqual([null, null])
  expect(proxyFor('http://box', { HTTP_PROXY: 'proxy:3128\r\n' })).toMatchObject({ hostname: 'proxy', port: 3128, secure: false })
  expect(proxyFor('http://box', { HTTP_PROXY: 'https://[::1]' })).toMatchObject({ hostname: '::1', port: 443, secure: true })
})

test('[AGENT350] NO_PROXY names hosts, suffixes, addresses, ranges and ports; this machine is reached directly unless asked otherwise', () => {
  const direct = (url: string, NO_PROXY: string) => at(url, { HTTP_PROXY: 'http://p:1', HTTPS_PROXY: 'http://p:1', NO_PROXY }) === null
  const cases: [boolean, string, string][] = [
    [true, 'http://box', '*'],
    [true, 'http://box', 'a, box'],
    [true, 'http://box', 'a box'],
    [true, 'http://BOX.', 'box'],
    [true, 'http://a.example.org', 'example.org'],
    [true, 'http://a.example.org', '.example.org'],
    [true, 'http://a.example.org', '*.example.org'],
    [true, 'http://example.org', '.example.org'],
    [false, 'http://badexample.org', 'example.org'],
    [false, 'http://example.org.evil', 'example.org'],
    [true, 'http://10.1.2.3:8000', '10.0.0.0/8'],
    [false, 'http://11.1.2.3', '10.0.0.0/8'],
    [true, 'http://10.1.2.3', '10.1.2.3'],
    [false, 'http://110.1.2.3', '10.1.2.3'],
    [true, 'http://[fd00::1]', 'fd00::/8'],
    [true, 'http://[fd00::1]:80', '[fd00::1]:80'],
    [true, 'https://box', 'box:443'],
    [false, 'https://box:8443', 'box:443'],
    [false, 'http://box', '10.0.0.0/99, box/8'],
    [false, 'http://box', ''],
    [true, 'http://127.0.0.1:9', ''],
    [true, 'http://127.8.8.8', ''],
    [true, 'http://localhost:9', ''],
    [true, 'http://a.localhost', ''],
    [true, 'ws://[::1]:9', ''],
    [false, 'http://127.0.0.1.example.org', ''],
    [false, 'http://127.0.0.1:9', '<-loopback>'],
    [true, 'http://127.0.0.1:9', '<-loopback>,127.0.0.1'],
  ]
  for (const [expected, url, list] of cases) expect([url, list, direct(url, list)]).toEqual([url, list, expected])
})

test('[AGENT351] credentials of a proxy go with requests and stand in no text; what is no HTTP proxy is refused by its variable', () => {
  const env = { HTTPS_PROXY: 'http://me:p%40ss%@proxy:3128' }
  expect(proxyFor('https://box', env)).toMatchObject({ authorization: `Basic ${btoa('me:p%40ss%')}`, shown: 'http://proxy:3128' })
  expect(proxyFor('https://box', { HTTPS_PROXY: 'http://me:p%40ss@proxy' })?.authorization).toBe(`Basic ${btoa('me:p@ss')}`)
  expect(throughProxy('https://box', env)).toBe(' through the proxy http://proxy:3128 of HTTPS_PROXY')
  expect([throughProxy('http://box', env), throughProxy('no url', env)]).toEqual(['', ''])
  for (const text of ['socks5://me:secret@proxy:1080', 'ftp://secret', 'http://'])
    expect(() => proxyFor('https://box', { https_proxy: text })).toThrow(/^https_proxy names no HTTP proxy(?!.*secret)/)
})
