import { expect, test } from 'vitest'
import { readAccess } from '../access-config.ts'
import { readConfig } from '../config.ts'
import { chosenProvider, isAllowed } from './own-provider.ts'

const origins = (BENCH_OWN_PROVIDER_URLS: string, LOCAL = '') => readAccess({ BENCH_OWN_PROVIDER_URLS, LOCAL }).own_provider_origins
const faultOf = (BENCH_OWN_PROVIDER_URLS: string, LOCAL = '') =>
  readConfig({ BENCH_OWN_PROVIDER_URLS, LOCAL }).faults.find(({ variable }) => variable === 'BENCH_OWN_PROVIDER_URLS')?.detail

test('[OWNKEY2] the operator allows origins over TLS at public hosts; one that is not turns the variable off and is named', () => {
  expect(origins(' https://gw.example , https://api.together.xyz:8443/ ')).toEqual(['https://gw.example', 'https://api.together.xyz:8443'])
  expect([origins(''), faultOf('')]).toEqual([[], undefined])
  const closed = [
    '127.0.0.1',
    'localhost',
    '10.0.0.5',
    '169.254.169.254',
    '[::1]',
    '[::ffff:10.0.0.1]',
    '2130706433',
    '0x7f.1',
    'db.internal',
    'gateway',
  ]
  for (const host of closed) {
    expect([host, origins(`https://gw.example,https://${host}`)]).toEqual([host, []])
    expect(faultOf(`https://${host}`)).toContain('the host of an entry cannot be used')
  }
  for (const text of [
    'gw.example',
    'ftp://gw.example',
    'https://gw.example/v1',
    'https://gw.example/?a',
    'https://a:b@gw.example',
    'http://gw.example',
  ])
    expect([text, origins(text), faultOf(text)]).toEqual([text, [], expect.stringContaining('does not read: an entry')])
})

test('[OWNKEY2] a local service is its owner’s own: loopback is his to allow', () => {
  expect([origins('http://127.0.0.1:1234', '1'), faultOf('http://127.0.0.1:1234', '1')]).toEqual([['http://127.0.0.1:1234'], undefined])
})

test('[OWNKEY2] an address is allowed while its origin is; a provider that is configured here keeps its id, and no id is taken twice', () => {
  const access = { ...readAccess({}), own_provider_origins: ['https://gw.example', 'https://openrouter'] }
  const chutes = { catalogue_url: '', llm_url: 'https://llm.example/v1/' }
  const configured = { id: 'house', label: 'House', kind: 'openai' as const, base_url: 'https://gw.example/v1', models: [] }
  const config = { access, chutes, providers: [configured, { ...configured, id: 'gw.example', base_url: 'https://other.example/v1' }] }
  expect(chosenProvider({ base_url: 'https://gw.example/v1/' }, config)).toMatchObject({ id: 'house', label: 'House' })
  expect(chosenProvider({ base_url: 'https://gw.example/v2' }, config)).toMatchObject({ id: 'own-gw.example', label: 'gw.example' })
  expect(chosenProvider({ base_url: 'https://openrouter/v1' }, config)).toMatchObject({ id: 'own-openrouter', kind: 'openai' })
  expect(chosenProvider({ base_url: 'https://openrouter.ai/api/v1' }, { ...config, access: readAccess({}) })).toMatchObject({
    id: 'openrouter',
  })
  expect(chosenProvider({ provider: 'chutes' }, config)).toMatchObject({ base_url: 'https://llm.example/v1' })
  expect(isAllowed('https://gw.example/v1', config)).toBe(true)
  expect(isAllowed('https://gw.example/v1', { ...config, access: readAccess({}) })).toBe(false)
  expect(isAllowed('https://openrouter.ai/api/v1', { ...config, access: readAccess({}) })).toBe(true)
  expect(isAllowed('https://openrouter.ai/api/v2', config)).toBe(false)
})
