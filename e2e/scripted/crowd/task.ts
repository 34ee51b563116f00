import * as z from 'zod'
import { itemHash } from '#shared/benchmarks/item-hash.ts'
import { eachRecord, recordsOf } from '#shared/benchmarks/parse-rows.ts'
import type { Task } from '#shared/benchmarks/task.ts'
import type { Message } from '#shared/contract/message.ts'
import { answeredEvidence } from '#shared/solvers/generate.ts'
import { sandboxLost } from '#shared/solvers/in-sandbox.ts'
import { card } from './card.ts'

const Row = z.object({ name: z.string() })

/** Two programs that hear no signal, one of them in a session of its own, that wait as long as the model said. */
const waiting = `trap '' TERM HUP INT; setsid sleep "$0" & sleep "$0"; id -u`

export const task: Task<'completion'> = {
  card,
  async survey({ rows }) {
    await eachRecord(recordsOf(rows, 'test', Row))
    return { items: null, named: [] }
  },
  open({ rows }) {
    const records = recordsOf(rows, 'test', Row)
    const item = async (index: number) => {
      const { name } = await records.read(index)
      const messages: Message[] = [{ role: 'user', content: `${name}: say for how many seconds a program should wait.` }]
      const identity = { item_id: String(index), source_id: name, item_hash: itemHash(messages), group: null }
      return { ...identity, messages, target: '65534\n', metadata: {} }
    }
    return { count: records.count, item }
  },
  // Each asks for less than the card, which has a least: all have room at once.
  solver: () => async (item, kit) => {
    const answered = answeredEvidence(await kit.ask('model', { messages: item.messages }))
    if (!answered.ok) return answered
    const sandbox = await kit.sandbox({ image: null, cpus: 0.02, memory_mb: 48, disk_mb: 4, network: false })
    if (!sandbox.ok) return sandbox
    const argv = ['sh', '-c', waiting, answered.value.text] as const
    const { end, stdout } = await sandbox.value.exec({ argv, timeout_ms: 600_000, output_bytes: 1000 })
    if (end === 'unavailable') return sandboxLost('The sandbox is gone.')
    return { ok: true, value: { ...answered.value, text: new TextDecoder().decode(stdout) } }
  },
  score(item, { text }) {
    const right = text === item.target
    return { value: right ? 1 : 0, outcome: right ? 'right' : 'wrong', answer: text, explanation: '', flags: [], detail: {} }
  },
  demo: (item, right) => (right ? item.target : '0'),
}
