import { expect, test } from 'vitest'
import { createPasses } from './passes.ts'

const sent = { run_id: 'run-1', session: 'session-1', agent_id: 'a' }

test('[FLEET20] a pass holds for its run, session and name alone, and only from the same secret', () => {
  const passes = createPasses('secret')
  const pass = passes.passOf(sent)
  expect(createPasses('secret').holds(pass, sent)).toBe(true)
  expect(createPasses('other').holds(pass, sent)).toBe(false)
  for (const other of [{ run_id: 'run-2' }, { session: 'session-2' }, { agent_id: 'b' }])
    expect(passes.holds(pass, { ...sent, ...other })).toBe(false)
  for (const text of [undefined, '', pass.slice(1), `${pass}0`]) expect(passes.holds(text, sent)).toBe(false)
  // Each of its characters counts.
  for (let at = 0; at < pass.length; at++) {
    const forged = pass.slice(0, at) + (pass[at] === '0' ? '1' : '0') + pass.slice(at + 1)
    expect(passes.holds(forged, sent)).toBe(false)
  }
})
