import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { expect, test } from 'vitest'
import { northernCapitals, personNames, pronouns } from './word-lists.ts'

const hashOf = (words: readonly string[]) => bytesToHex(sha256(new TextEncoder().encode(words.join(','))))

test('[SCORE42] the fixed names, pronouns and capitals are those of the official checks', () => {
  expect(hashOf([...personNames].sort())).toBe('0fa36baed1ddb4d2f413f290c7d895aa0339cfe4709b308573e32339819f7162')
  expect(hashOf([...pronouns].sort())).toBe('e0d9aba2ef1b0c98a7a0ff22a4e75685fc8ab91c6bf8cea607536f14088cbdad')
  expect(hashOf(northernCapitals)).toBe('84323932d85fe1009ef9dff75bf70eec8bd0ba81f395ee9e7ddb11bc85c5624a')
  expect([personNames.length, pronouns.length, northernCapitals.length]).toEqual([50, 63, 27])
})
