import { expect, test } from 'vitest'
import { card as questions } from '../benchmarks/mmlu_pro/card.ts'
import { card } from '../benchmarks/terminal_tasks/card.ts'
import { CreateRun } from '../contract/create-run.ts'
import { agentText, agentVersion } from './agent-text.ts'
import { planBenchmarks } from './build-spec.ts'

const data = { source: 'pinned' as const, ...card.data, files: [...card.data.files] }
const model = { id: 'm', slug: 'm', provider: 'p', price: null, context_length: null, input_modalities: [] }
const plan = (more: object, name: string = card.name) => {
  const body = CreateRun.parse({ model_id: 'm', selected_benchmarks: [name], ...more })
  const offer = { cards: [card, questions], dataFor: () => data, providerOf: () => undefined, helperFor: () => undefined }
  return planBenchmarks(body, model, { ...offer, helperFor: () => undefined } as unknown as Parameters<typeof planBenchmarks>[2])[0]!
}

test('[EPI39] a command is planned with its text in the profile that runs one, named or not; other profiles have none', () => {
  const agent = { command: 'my-agent "$BENCH_INSTRUCTION_FILE"', install: 'pip install my-agent' }
  expect(plan({ agent })).toMatchObject({ profile: 'command', agent })
  expect(plan({ agent: { command: '  x  ' }, profile: 'command' }).agent).toEqual({ command: 'x', install: null })
  expect(plan({ profile: 'builtin' })).not.toHaveProperty('agent')
})

test('[EPI39] a plan is refused without the command that it runs, with one that it does not run, and with a key in it', () => {
  expect(() => plan({ profile: 'command' })).toThrow(/runs a command of yours: give it \(agent\.command/)
  expect(() => plan({ profile: 'nop', agent: { command: 'x' } })).toThrow(/profile nop of Terminal tasks runs no command/)
  expect(() => plan({ agent: { command: 'x' } }, questions.name)).toThrow(/has no profile "command"/)
  const key = `sk-${'a1'.repeat(12)}`
  for (const agent of [{ command: `x --key ${key}` }, { command: 'x', install: `login ${key}` }]) {
    expect(() => plan({ agent })).toThrow(/looks like a key.*OPENAI_API_KEY/)
    expect(() => plan({ agent })).not.toThrow(key)
  }
  for (const agent of [{ command: ' ' }, { command: 'a\0b' }, { command: 'x'.repeat(10_001) }, { command: 'x', more: 1 }])
    expect(() => plan({ agent })).toThrow()
})

test('[EPI39] a command is known by 12 digits over both of its parts, and is told in a line', () => {
  const one = agentVersion({ command: 'a' })
  expect([one, agentVersion({ command: 'a', install: null })]).toEqual([one, one])
  expect(one).toMatch(/^[0-9a-f]{12}$/)
  expect(new Set([one, agentVersion({ command: 'b' }), agentVersion({ command: 'a', install: 'a' })]).size).toBe(3)
  expect(agentText({ command: `a\n  ${'b'.repeat(100)}` })).toMatch(/^agent [0-9a-f]{12}: a b{78}…$/)
})
