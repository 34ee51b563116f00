import { expect, test } from 'vitest'
import { createLikenesses } from './likenesses.ts'
import { contractMachine } from './machine.contract.ts'

const image = { name: 'a', id: 'sha256:1', digest: 'sha256:2', entrypoint: [], user: '' }
const check = { command: 'true', interval_ms: 1, timeout_ms: 1, start_period_ms: 0, start_interval_ms: 1, retries: 1 }
const main = { network: { type: 'usual' as const }, aliases: [], volumes: [], files: [], after: [], user: null }

test('[MACH55] machines are alike where image, variables, directory and folders are the same', () => {
  const { of } = createLikenesses()
  const first = of(contractMachine, image)
  expect(first).toEqual({ sight: null })
  expect(of({ ...contractMachine }, { ...image, name: 'b' })).toBe(first)
  for (const other of [{ env: { GREETING: 'other' } }, { workdir: '/other' }, { places: ['/other'] }])
    expect(of({ ...contractMachine, ...other }, image)).not.toBe(first)
  expect(of(contractMachine, { ...image, id: 'sha256:3' })).not.toBe(first)
})

test('[MACH55] a machine in which an entry point, a health check or a service had its part is like no other', () => {
  const { of } = createLikenesses()
  expect(of(contractMachine, { ...image, entrypoint: ['/start.sh'] })).toBeUndefined()
  expect(of({ ...contractMachine, healthcheck: check }, image)).toBeUndefined()
  expect(of({ ...contractMachine, services: { main, others: [], start_timeout_ms: 1 } }, image)).toBeUndefined()
  expect(of(contractMachine, { ...image, entrypoint: ['/bin/bash'] })).toBeDefined()
})

test('[MACH55] of many kinds those that were asked for last are known', () => {
  const { of } = createLikenesses()
  const kind = (number: number) => of(contractMachine, { ...image, id: `sha256:${number}` })
  const [first, second] = [kind(0), kind(1)]
  for (let number = 2; number < 501; number++) kind(number === 400 ? 1 : number)
  expect(kind(1)).toBe(second)
  for (let number = 501; number < 900; number++) kind(number)
  expect([kind(1) === second, kind(0) === first]).toEqual([true, false])
})
