import { expect, test } from 'vitest'
import { providersFrom } from './configured-providers.ts'
import { keyIn } from './key-setting.ts'

const none = () => undefined

test('[CLI351] a key is read without the white space and line ends of its file', () => {
  const key = 'sk-Abc_1.2~3/4+5='
  for (const written of [key, ` ${key}`, `${key}\n`, `${key}\r\n`, `${key}\r`, `\t${key} \n`, `\uFEFF${key}`, `${key}\u00a0`])
    expect([written, keyIn({ KEY: written }, 'KEY')]).toEqual([written, key])
  for (const written of ['', ' ', '\r\n', undefined]) expect(keyIn({ KEY: written }, 'KEY')).toBeNull()
})

test('[CLI351] a key that no header can carry is refused by its variable and the character, without the key', async () => {
  const odd: [string, string][] = [
    ['sk-secret\u200b', 'a zero-width space'],
    ['sk-\u200bsecret', 'a zero-width space'],
    ['“sk-secret”', 'a curly quote'],
    ['sk-sec\nret', 'a line end'],
    ['sk-sec\r\nret', 'a line end'],
    ['sk-sec\tret', 'a tab'],
    ['sk-sеcret', 'the character U+0435'], // a Cyrillic letter
    ['sk-secret\u007f', 'the character U+007F'],
  ]
  for (const [key, says] of odd) {
    const places: [string, Record<string, string>][] = [
      ['OPENAI_API_KEY', { OPENAI_API_KEY: key, OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }],
      ['CHUTES_API_KEY', { CHUTES_API_KEY: key }],
      ['LMSTUDIO_API_KEY', { LMSTUDIO_API_KEY: key, LMSTUDIO_BASE_URL: 'http://127.0.0.1:9/v1' }],
      ['LAB_KEY', { LAB_KEY: key, BENCH_PROVIDERS: '[{"id":"lab","base_url":"http://127.0.0.1:9/v1","api_key_env":"LAB_KEY"}]' }],
      ['lab in BENCH_PROVIDERS', { BENCH_PROVIDERS: JSON.stringify([{ id: 'lab', base_url: 'http://127.0.0.1:9/v1', api_key: key }]) }],
    ]
    for (const [place, env] of places) {
      const refused: unknown = await providersFrom(env, fetch, none).catch((error: unknown) => error)
      expect([key, place, String(refused)]).toEqual([key, place, expect.stringContaining(`${place} holds ${says}`)])
      expect(String(refused)).not.toContain('cret')
    }
  }
})
