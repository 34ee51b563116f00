import { expect, test } from 'vitest'
import { sandyOptions } from './sandy-options.ts'

test('[SBX70] there is no Sandy without its address; an address needs a key, and both are read without the blanks around them', () => {
  expect(sandyOptions({})).toBeNull()
  expect(sandyOptions({ SANDY_BASE_URL: ' ', SANDY_API_KEY: 'key' })).toBeNull()
  expect(sandyOptions({ SANDY_BASE_URL: ' https://sandy.example.org/x ', SANDY_API_KEY: ' key\n' })).toEqual({
    base_url: 'https://sandy.example.org/x',
    api_key: 'key',
  })
  expect(() => sandyOptions({ SANDY_BASE_URL: 'https://sandy.example.org' })).toThrow('SANDY_API_KEY is missing.')
  expect(() => sandyOptions({ SANDY_BASE_URL: 'file:///etc', SANDY_API_KEY: 'key' })).toThrow('SANDY_BASE_URL is no http or https address.')
})
