import { createRoot } from 'solid-js'
import { expect, test, vi } from 'vitest'
import type { Answer } from '../api.ts'
import type { UploadWatch } from './upload-file.ts'
import { createUploads, refusedAtOnce, withoutFaults } from './upload-queue.ts'

/** A sender whose answers come when the test says so. */
function createSender() {
  const sent = new Map<string, { watch: UploadWatch; answer: (answer: Answer<string>) => void }>()
  const send = (file: File, watch: UploadWatch) => new Promise<Answer<string>>((answer) => sent.set(file.name, { watch, answer }))
  return { sent, send }
}
const problem = { code: 'bad-archive', status: 422, title: 'No', detail: 'Why', errors: [], request_id: null }
const zip = (name: string, text = 'PK') => new File([text], name)
const refusals = async (files: File[]) => {
  const { sent, send } = createSender()
  const stored = vi.fn()
  const uploads = createRoot(() => createUploads(send, stored))
  uploads.add(files)
  return { sent, stored, uploads, states: () => uploads.uploads().map(({ name, state }) => `${name} ${state.kind}`) }
}

test('[UI130] two archives are sent at a time, each with its own outcome, and a refused one holds up no other', async () => {
  const { sent, stored, uploads, states } = await refusals([zip('a.zip'), zip('b.zip'), zip('c.zip')])
  expect(states()).toEqual(['a.zip sending', 'b.zip sending', 'c.zip waiting'])
  sent.get('a.zip')!.watch.progress(0.5)
  expect(uploads.uploads()[0]!.state).toEqual({ kind: 'sending', share: 0.5 })
  sent.get('a.zip')!.watch.progress(1)
  sent.get('b.zip')!.answer({ ok: false, problem })
  await vi.waitFor(() => expect(states()).toEqual(['a.zip sent', 'b.zip refused', 'c.zip sending']))
  sent.get('a.zip')!.answer({ ok: true, value: 'task a' })
  sent.get('c.zip')!.answer({ ok: true, value: 'task c' })
  await vi.waitFor(() => expect(states()).toEqual(['a.zip stored', 'b.zip refused', 'c.zip stored']))
  expect(stored.mock.calls).toEqual([['task a'], ['task c']])
  uploads.clear()
  expect(states()).toEqual([])
})

test('[UI130] an archive is given up while it is sent, and the next one takes its turn', async () => {
  const { sent, uploads, states } = await refusals([zip('a.zip'), zip('b.zip'), zip('c.zip')])
  uploads.drop(uploads.uploads()[0]!.id)
  expect(sent.get('a.zip')!.watch.signal.aborted).toBe(true)
  expect(states()).toEqual(['b.zip sending', 'c.zip sending'])
  sent.get('a.zip')!.watch.progress(0.9)
  sent.get('a.zip')!.answer({ ok: false, problem })
  await vi.waitFor(() => expect(states()).toEqual(['b.zip sending', 'c.zip sending']))
})

test('[UI130] what can be no archive is not sent, and says what to do', async () => {
  const { sent, states } = await refusals([zip('notes.txt'), zip('a.zip'), zip('empty.zip', '')])
  expect(states()).toEqual(['notes.txt refused', 'a.zip sending', 'empty.zip refused'])
  expect([...sent.keys()]).toEqual(['a.zip'])
  expect(refusedAtOnce({ name: 'notes.txt', size: 5 })?.detail).toContain('pack the folder')
  expect(refusedAtOnce({ name: 'large.ZIP', size: 101 * 2 ** 20 })?.detail).toContain('101.0 MiB, and 100.0 MiB is the most')
  expect(refusedAtOnce({ name: 'right.zip', size: 100 * 2 ** 20 })).toBeUndefined()
})

test('[UI130] a refusal says in general what is wrong, and each entry once', () => {
  const told = (detail: string, ...messages: string[]) =>
    withoutFaults({ title: 'Not valid', detail, errors: messages.map((message) => ({ pointer: '/file', message })) })
  expect(told('It holds no task. ../x: it leads out (and 2 more)', '../x: it leads out', 'y: no text')).toBe('It holds no task.')
  expect(told('../x: it leads out', '../x: it leads out')).toBe('Not valid')
  expect(told('Too large.')).toBe('Too large.')
  expect(told('Something else.', '../x: it leads out')).toBe('Something else.')
})
