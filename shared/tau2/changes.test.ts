import { expect, test } from 'vitest'
import { changesBetween } from './changes.ts'

test('[TAU39] what a call changed is told value by value, entries of lists by their own ids, and what is not there as null', () => {
  const line = (status: string) => ({ line_id: 'L1', status })
  const before = { assistant: { lines: [line('Active')], notes: ['a'], bills: [], plan: 'P1' }, user: { app: { sms: true }, vpn: null } }
  const after = {
    assistant: { lines: [line('Suspended')], notes: ['b'], bills: [{ bill_id: 'B1' }] },
    user: { app: { sms: false }, vpn: { on: true } },
  }
  expect(changesBetween(before, after).map((one) => [one.party, one.path, one.before, one.after])).toEqual([
    ['assistant', 'lines.L1.status', 'Active', 'Suspended'],
    ['assistant', 'notes.0', 'a', 'b'],
    ['assistant', 'bills.B1', null, { bill_id: 'B1' }],
    ['assistant', 'plan', 'P1', null],
    ['user', 'app.sms', true, false],
    ['user', 'vpn', null, { on: true }],
  ])
  expect(changesBetween(before, before)).toEqual([])
})
