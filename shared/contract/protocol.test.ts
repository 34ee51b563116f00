import { expect, test } from 'vitest'
import { packStream, unpackStream } from '../stream/packed-stream.ts'
import { exampleStream } from '../stream/testing/example-stream.ts'
import { FleetDown, FleetUp, RunDown, RunUp } from './frame.ts'
import { commonProtocol, protocolRefusal, protocols, spoken } from './protocol.ts'
import { framesOf3, readersOf3 } from './testing/protocol-3.ts'

const { min, max } = protocols

test('[FLEET90] neighbours agree on the newest version that both speak, with ranges and with the one number of protocol 3', () => {
  expect(max - min).toBeGreaterThanOrEqual(1)
  expect(commonProtocol(spoken)).toBe(max)
  expect(commonProtocol({ protocol: min })).toBe(min)
  expect(commonProtocol({ protocol: max })).toBe(max)
  expect(commonProtocol({ protocol: max, protocol_min: max, protocol_max: max + 1 })).toBe(max)
  expect(commonProtocol({ protocol: min - 1, protocol_min: min - 1, protocol_max: min })).toBe(min)
})

test.each([
  [{ protocol: min - 1 }, `the agent ${min - 1}. Upgrade the agent.`],
  [{ protocol_min: min - 2, protocol_max: min - 1 }, `the agent ${min - 2} to ${min - 1}. Upgrade the agent.`],
  [{ protocol_min: max + 1, protocol_max: max + 2 }, `the agent ${max + 1} to ${max + 2}. Upgrade the service.`],
  [{}, 'the agent does not say what it speaks. Upgrade the agent.'],
])('[FLEET90] an agent that says %j is refused with a sentence that fits the reason of a close', (hello, sentence) => {
  expect(commonProtocol(hello)).toBe(null)
  const refusal = protocolRefusal(hello)
  expect(refusal).toBe(`This service speaks protocols ${min} to ${max}${sentence.startsWith('the agent does') ? ', and' : ','} ${sentence}`)
  expect(new TextEncoder().encode(refusal).length).toBeLessThanOrEqual(123)
})

const ours = { FleetUp, FleetDown, RunUp, RunDown }
const all = (Object.keys(ours) as (keyof typeof ours)[]).flatMap((side) => framesOf3[side].map((text) => [side, text] as const))

test.each(all)('[FLEET91] %s of protocol 3 is read as it was: %s', (side, text) => {
  const said = JSON.parse(text)
  expect(readersOf3[side].parse(said)).toMatchObject({ type: said.type }) // the golden frame and its frozen reader fit
  expect(ours[side].parse(said)).toMatchObject(
    side === 'RunDown' && said.type === 'welcome' ? { ...said, spec: { run_id: said.spec.run_id } } : said,
  )
})

test('[STREAM12] a record with its stream is read by a service of protocol 3 and by ours, and one without it by ours', () => {
  const report = JSON.parse(framesOf3.RunUp.find((text) => text.includes('"report"'))!)
  expect(RunUp.parse(report)).toMatchObject({ results: [expect.not.objectContaining({ stream: expect.anything() })] })
  const by = { agent: 'agent-1f2e', place: null }
  const told = { ...report, results: report.results.map((record: object) => ({ ...record, stream: exampleStream(), measured_by: by })) }
  expect(RunUp.parse(told)).toMatchObject({ results: [{ stream: exampleStream(), measured_by: by }] })
  expect(readersOf3.RunUp.parse(told)).toMatchObject({ type: 'report' })
  const future = { ...told, results: told.results.map((record: object) => ({ ...record, stream: { ...exampleStream(), jitter_ms: 1 } })) }
  expect(RunUp.parse(future)).toMatchObject({ results: [{ stream: exampleStream() }] })
  const packed = { ...told, results: told.results.map((record: object) => ({ ...record, stream: packStream(exampleStream()) })) }
  expect(RunUp.parse(packed)).toMatchObject({ results: [{ stream: packStream(exampleStream()) }] })
  const later = packed.results.map((record: { stream: unknown[] }) => ({ ...record, stream: [...record.stream, 'jitter'] }))
  const report6 = RunUp.parse({ ...packed, results: later })
  expect(report6.type === 'report' && unpackStream(report6.results[0]!.stream!)).toEqual(exampleStream())
})

test('[FLEET91] what an agent of ours says is read by an edge of protocol 3', () => {
  const known = { type: 'hello', ...spoken, agent_id: 'box', session: 'session-1' } as const
  const hello = { ...known, host: 'h', version: '1', capabilities: ['llm'], slots: 4, secret: '0123456789abcdef' }
  expect(readersOf3.FleetUp.parse(FleetUp.parse(hello))).toMatchObject({ type: 'hello' })
  expect(readersOf3.RunUp.parse(RunUp.parse({ ...known, holding: [] }))).toMatchObject({ type: 'hello' })
  const claim = { type: 'claim', count: 3, width: 4, working: 1, ahead: 2 } as const
  expect([RunUp.parse(claim), readersOf3.RunUp.parse(claim)]).toEqual([claim, { type: 'claim', count: 3 }])
})

test('[FLEET91] items to make ready for stand in a field that neighbours pass over, and are read where they are known', () => {
  const ahead = [{ benchmark: 'terminal_tasks', item_id: '4' }]
  const state = { type: 'state', status: 'running', concurrency: 16, open: 9 } as const
  expect([RunDown.parse({ ...state, ahead }), readersOf3.RunDown.parse({ ...state, ahead })]).toEqual([{ ...state, ahead }, state])
  const leases = { type: 'leases', leases: [] } as const
  expect(RunDown.parse({ ...leases, ahead })).toEqual({ ...leases, ahead })
  expect(readersOf3.RunDown.parse({ ...leases, ahead })).toEqual(leases)
})
