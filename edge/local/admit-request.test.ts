import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Admission, admitRequest } from './admit-request.ts'

const door = { port: 8787, hosts: ['bench.example:443'], secret: 'of the door' }
const admit = (headers: Record<string, string>, target = '/api/runs', method = 'GET', remote_address = '127.0.0.1'): Admission =>
  admitRequest({ method, target, rawHeaders: Object.entries(headers).flat(), remote_address }, door)
const outcome = (admission: Admission) => ('refused' in admission ? admission.refused : 'admitted')

test('[START20] only a loopback name with our port, or the configured public host, is let in', () => {
  for (const host of [
    'localhost:8787',
    'LOCALHOST:8787',
    '127.0.0.1:8787',
    '127.9.9.9:8787',
    '[::1]:8787',
    'bench.example',
    'bench.example:443',
  ])
    expect([host, outcome(admit({ host }))]).toEqual([host, 'admitted'])
  for (const host of [
    'evil.test:8787',
    'localhost',
    'localhost:8788',
    '127.0.0.1.evil.test:8787',
    'localhost.:8787',
    'bench.example:8787',
    '0.0.0.0:8787',
  ])
    expect([host, outcome(admit({ host }))]).toEqual([host, 'misdirected'])
  for (const host of ['', ' ', 'a b', '[', 'localhost:8787/', 'x@localhost:8787', 'localhost:99999', 'http://localhost:8787', '\u0000'])
    expect([host, outcome(admit({ host }))]).toEqual([host, 'bad-request'])
  expect(outcome(admit({}))).toBe('bad-request')
  const twice = ['host', 'localhost:8787', 'Host', 'evil.test']
  expect(outcome(admitRequest({ method: 'GET', target: '/', rawHeaders: twice, remote_address: '127.0.0.1' }, door))).toBe('bad-request')
})

test('[START20] an absolute address counts as its own host; other forms of a target are malformed', () => {
  expect(admit({ host: 'evil.test' }, 'http://127.0.0.1:8787/api/runs?limit=1#x')).toMatchObject({
    path: '/api/runs?limit=1',
    headers: { host: '127.0.0.1:8787' },
  })
  expect(admit({ host: 'localhost:8787' }, 'http://127.0.0.1:8787')).toMatchObject({ path: '/' })
  expect(admit({ host: 'localhost:8787' }, 'http://localhost:8787?limit=1')).toMatchObject({ path: '/?limit=1' })
  expect(outcome(admit({ host: 'localhost:8787' }, 'http://evil.test/api/runs'))).toBe('misdirected')
  for (const target of ['*', '', 'https://localhost:8787/', 'localhost:8787', 'file:///etc/passwd', 'http://', 'http:///x', 'http://a b/'])
    expect([target, outcome(admit({ host: 'localhost:8787' }, target))]).toEqual([target, 'bad-request'])
  expect(outcome(admit({ host: 'localhost:8787' }, '/cdn-cgi/mf/scheduled'))).toBe('not-found')
  for (const method of ['TRACE', 'PROPFIND', 'get', ''])
    expect(outcome(admit({ host: 'localhost:8787' }, '/', method))).toBe('method-not-allowed')
})

test('[START21] no header that names an address, a client or the door itself comes from outside', () => {
  const given = {
    Host: 'localhost:8787',
    'MF-Original-URL': 'http://127.0.0.1:8787/',
    'mf-proxy-shared-secret': 'x',
    'X-MF-Anything': 'x',
    'CF-Connecting-IP': '127.0.0.1',
    'cf-ray': 'x',
    'X-Forwarded-Host': 'localhost',
    'x-forwarded-for': '127.0.0.1',
    Forwarded: 'for=127.0.0.1',
    'X-Real-IP': '127.0.0.1',
    'True-Client-IP': '127.0.0.1',
    'X-Bench-Door': 'guessed',
    Connection: 'keep-alive, X-Mine',
    'Keep-Alive': 'timeout=5',
    'X-Mine': 'of this connection',
    Authorization: 'Bearer cbr_x',
    Accept: '*/*',
  }
  const admitted = admit(given, '/', 'GET', '::ffff:192.168.0.9')
  expect(admitted).toEqual({
    path: '/',
    headers: {
      host: 'localhost:8787',
      authorization: 'Bearer cbr_x',
      accept: '*/*',
      'x-bench-door': 'of the door',
      'cf-connecting-ip': '192.168.0.9',
    },
  })
  for (const address of ['::1', '127.0.0.1', '::ffff:127.0.0.1'])
    expect(admit({ host: 'localhost:8787' }, '/', 'GET', address)).toMatchObject({ headers: { 'cf-connecting-ip': '127.0.0.1' } })
})

test('[START21] whatever the headers say, the door’s secret and the connection’s address are its own', () => {
  const name = fc.oneof(
    fc.constantFrom('x-bench-door', 'cf-connecting-ip', 'mf-original-url', '__proto__', 'host'),
    fc.string({ minLength: 1 }),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.string())), fc.string(), (headers, target) => {
      const rawHeaders = ['host', '127.0.0.1:8787', ...headers.flat()]
      const admitted = admitRequest({ method: 'GET', target: `/${target}`, rawHeaders, remote_address: '192.168.0.9' }, door)
      if ('refused' in admitted) return
      expect(admitted.headers).toMatchObject({ 'x-bench-door': door.secret, 'cf-connecting-ip': '192.168.0.9' })
      expect(Object.keys(admitted.headers).filter((key) => /^(mf|cf)-/.test(key))).toEqual(['cf-connecting-ip'])
    }),
  )
})

test('[START41] the address that a connection came to is ours, with our port; any other address or name stays refused', () => {
  const at = (host: string, local_address?: string) =>
    admitRequest({ method: 'GET', target: '/', rawHeaders: ['host', host], remote_address: '192.168.0.9', local_address }, door)
  for (const [host, local] of [
    ['192.168.0.7:8787', '192.168.0.7'],
    ['192.168.0.7:8787', '::ffff:192.168.0.7'],
    ['[fd00::2]:8787', 'fd00::2'],
    ['[FD00:0:0::2]:8787', 'fd00::2'],
    ['[fe80::1]:8787', 'fe80::1%eth0'],
  ] as const)
    expect([host, at(host, local)]).toEqual([host, expect.objectContaining({ headers: expect.objectContaining({ host }) })])
  for (const [host, local] of [
    ['192.168.0.8:8787', '192.168.0.7'],
    ['192.168.0.7:8788', '192.168.0.7'],
    ['192.168.0.7', '192.168.0.7'],
    ['192.168.0.7.evil.test:8787', '192.168.0.7'],
    ['evil.test:8787', '192.168.0.7'],
    ['192.168.0.7:8787', '127.0.0.1'],
    ['192.168.0.7:8787', undefined],
  ] as const)
    expect([host, outcome(at(host, local))]).toEqual([host, 'misdirected'])
  expect(at('evil.test:8787', '192.168.0.7')).toMatchObject({ detail: expect.stringContaining('use http://192.168.0.7:8787,') })
})

test('[START42] a visitor’s address is that of his connection, also where he names loopback', () => {
  const headers = { host: 'localhost:8787', 'x-forwarded-for': '127.0.0.1', 'cf-connecting-ip': '127.0.0.1' }
  expect(admit(headers, '/', 'GET', '192.168.0.9')).toMatchObject({ headers: { 'cf-connecting-ip': '192.168.0.9' } })
  expect(admit(headers, '/', 'GET', '::ffff:192.168.0.9')).toMatchObject({ headers: { 'cf-connecting-ip': '192.168.0.9' } })
})
