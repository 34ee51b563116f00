import { createHash } from 'node:crypto'
import { startProvider } from '../provider/provider.ts'

/** The simulated provider as a process of its own: a prompt's hash decides which letter it answers. */
const { BENCH_LATENCY_MS = '0', BENCH_MODE = 'stream' } = process.env
const answers = Array.from('ABCD', (letter) => ({
  text: `I compared the choices one by one and kept the only one that fits. The answer is (${letter}).`,
}))
const provider = await startProvider({
  latency_ms: Number(BENCH_LATENCY_MS),
  mode: BENCH_MODE === 'drip' ? 'drip' : 'stream',
  // The question stands at the end of a prompt; the tail alone decides, so that the model's own work stays small beside ours.
  answer: (prompt) => answers[createHash('sha256').update(prompt.slice(-200)).digest()[0]! % answers.length]!,
})
process.once('SIGTERM', () => void provider.close().then(() => process.exit(0)))
process.on('message', (message) => {
  if (message === 'calls') process.send?.({ type: 'calls', calls: provider.ledger.entries.length })
})
process.send?.({ type: 'ready', url: provider.url })
