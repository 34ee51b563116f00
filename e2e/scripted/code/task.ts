import * as z from 'zod'
import { itemHash } from '#shared/benchmarks/item-hash.ts'
import { eachRecord, recordsOf } from '#shared/benchmarks/parse-rows.ts'
import type { Task } from '#shared/benchmarks/task.ts'
import type { Message } from '#shared/contract/message.ts'
import { answeredEvidence } from '#shared/solvers/generate.ts'
import { sandboxLost } from '#shared/solvers/in-sandbox.ts'
import { card } from './card.ts'

/** `lingers`: its first attempt runs a program that does not end by itself, with this word among its arguments. */
const Row = z.object({ name: z.string(), lingers: z.string().nullable() })

const counting = 'id -u; cat /etc/shadow /root/.profile 2>&- ; tr -d -c 0-9 | wc -c'
const lingering = `trap '' TERM HUP INT; setsid sh -c 'sleep 9999; :' "$0" & sleep 9999`

export const task: Task<'completion'> = {
  card,
  async survey({ rows }) {
    await eachRecord(recordsOf(rows, 'test', Row))
    return { items: null, named: [] }
  },
  open({ rows }) {
    const records = recordsOf(rows, 'test', Row)
    const item = async (index: number) => {
      const { name, lingers } = await records.read(index)
      const messages: Message[] = [{ role: 'user', content: `${name}: say a sum.` }]
      const identity = { item_id: String(index), source_id: name, item_hash: itemHash(messages), group: null }
      return { ...identity, messages, target: '65534\n2\n', metadata: { lingers } }
    }
    return { count: records.count, item }
  },
  solver: () => async (item, kit) => {
    const answered = answeredEvidence(await kit.ask('model', { messages: item.messages }))
    if (!answered.ok) return answered
    const sandbox = await kit.sandbox({ image: null, cpus: 0.5, memory_mb: 64, disk_mb: 16, network: false })
    if (!sandbox.ok) return sandbox
    const { lingers } = item.metadata
    const argv =
      typeof lingers === 'string' && kit.attempt === 1 ? (['sh', '-c', lingering, lingers] as const) : (['sh', '-c', counting] as const)
    const stdin = new TextEncoder().encode(answered.value.text)
    const { end, stdout } = await sandbox.value.exec({ argv, stdin, timeout_ms: 600_000, output_bytes: 1000 })
    if (end === 'unavailable') return sandboxLost('The sandbox is gone.')
    return { ok: true, value: { ...answered.value, text: new TextDecoder().decode(stdout) } }
  },
  score(item, { text }) {
    const right = text === item.target
    return { value: right ? 1 : 0, outcome: right ? 'right' : 'wrong', answer: text, explanation: '', flags: [], detail: {} }
  },
  demo: (item, right) => (right ? item.target : '0'),
}
