import { isIPv6 } from 'node:net'
import { expect, test } from 'vitest'
import { listensOn, openAddresses, ownNames, readHost, tellOpen } from './listen.ts'

const at = (address: string, internal = false) => ({ address, internal, family: isIPv6(address) ? ('IPv6' as const) : ('IPv4' as const) })
const outward = ['fe80::1', 'fd00::2', '169.254.1.1', '192.168.0.7'].map((address) => at(address))
const interfaces = { lo: [at('127.0.0.1', true)], eth0: outward }

test('[START40] HOST is an IP address or nothing; a name that a shell or tool set opens nothing', () => {
  for (const text of [undefined, '', 'localhost', '127.0.0.1', '::ffff:127.0.0.1']) expect(readHost(text)).toBe('127.0.0.1')
  expect(['0.0.0.0', '192.168.0.7', '::', '0:0:0:0:0:0:0:0', '::ffff:0.0.0.0', 'FD00:0::2'].map(readHost)).toEqual([
    ...['0.0.0.0', '192.168.0.7', '::', '::', '0.0.0.0', 'fd00::2'],
  ])
  for (const text of [
    'x86_64-conda-linux-gnu',
    'box',
    '*',
    '0',
    'true',
    '0.0.0.0:8787',
    ' 0.0.0.0',
    '[::]',
    '1.2.3',
    'fe80::1%eth0',
    'http://a',
  ])
    expect(() => readHost(text)).toThrow(`HOST=${text} is not an IP address. Use HOST=0.0.0.0`)
})

test('[START40] 127.0.0.1 is always among the addresses it listens on, and none is taken twice', () => {
  expect(listensOn('127.0.0.1')).toEqual(['127.0.0.1'])
  expect(listensOn('0.0.0.0')).toEqual(['0.0.0.0'])
  expect(listensOn('::')).toEqual(['::'])
  for (const host of ['192.168.0.7', '127.0.0.2', '::1']) expect(listensOn(host)).toEqual(['127.0.0.1', host])
})

test('[START41] only an open service has names of its own beside loopback', () => {
  for (const host of ['127.0.0.1', '127.0.0.2', '::1']) expect(ownNames(host, 8787, 'Box')).toEqual([])
  expect(ownNames('0.0.0.0', 8787, 'Box')).toEqual(['box:8787', 'box.local:8787'])
  expect(ownNames('192.168.0.7', 8787, 'box.lab.example')).toEqual(['box.lab.example:8787'])
})

test('[START43] the warning names the addresses that others can use, the token’s place, and the machine where there is no address', () => {
  const place = { port: 8787, secretsPath: '/d/secrets.json', hostname: 'box', interfaces }
  expect(tellOpen({ ...place, host: '127.0.0.1' })).toEqual([])
  expect(tellOpen({ ...place, host: '127.0.0.2' })).toEqual([])
  const said = tellOpen({ ...place, host: '::' }).join('\n')
  expect(said).toContain('everybody who can reach http://192.168.0.7:8787 or http://[fd00::2]:8787.')
  expect(said).toContain('There is no TLS')
  expect(said).toContain('npm run cli -- agent --edge http://192.168.0.7:8787\n')
  expect(said).toContain('agent_token of /d/secrets.json')
  expect(tellOpen({ ...place, host: '0.0.0.0', interfaces: {} }).join('\n')).toContain('--edge http://box:8787\n')
  expect(openAddresses('0.0.0.0', interfaces)).toEqual(['192.168.0.7'])
  expect(openAddresses('10.0.0.1', interfaces)).toEqual(['10.0.0.1'])
})
