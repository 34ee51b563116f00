import { expect, test } from 'vitest'
import { commonProtocol, protocolRefusal, protocols, spoken } from './protocol.ts'

const { min, max } = protocols
const says = (protocol_min: number, protocol_max: number) => ({ protocol_min, protocol_max })

test('[FLEET90] the newest version that both sides speak is used', () => {
  expect(commonProtocol(spoken)).toBe(max)
  expect(commonProtocol(says(min - 1, min))).toBe(min)
  expect(commonProtocol(says(max, max + 1))).toBe(max)
})

test.each([
  [says(min - 1, min - 1), `, the agent ${min - 1}. Upgrade the agent.`],
  [says(min - 2, min - 1), `, the agent ${min - 2} to ${min - 1}. Upgrade the agent.`],
  [says(max + 1, max + 2), `, the agent ${max + 1} to ${max + 2}. Upgrade the service.`],
  [{}, ', and the agent does not say what it speaks. Upgrade the agent.'],
])('[FLEET90] an agent that says %j is refused with a sentence that fits the reason of a close', (hello, sentence) => {
  expect(commonProtocol(hello)).toBe(null)
  const refusal = protocolRefusal(hello)
  expect(refusal).toBe(`This service speaks protocol ${max}${sentence}`)
  expect(new TextEncoder().encode(refusal).length).toBeLessThanOrEqual(123)
})
