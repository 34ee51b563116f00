import { AsideArtifact, type CallAside, mostAside } from '#shared/contract/aside.ts'
import { type Fields, isFields } from './json-fields.ts'

const amount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0
const longestWord = 300

/** Adds what `usage` says of money and sandboxes, as a Janus Gateway does; the last one told counts. */
export function foldSpent(aside: CallAside | null, usage: unknown): CallAside | null {
  if (!isFields(usage)) return aside
  const { cost_usd, sandbox_seconds } = usage
  if (!amount(cost_usd) && !amount(sandbox_seconds)) return aside
  return { ...aside, ...(amount(cost_usd) && { cost_usd }), ...(amount(sandbox_seconds) && { sandbox_seconds }) }
}

/** Adds what a delta or a message says beside the answer: an event of an agent (`janus`), and what it left behind. Anything of another form is nothing. */
export function foldAside(aside: CallAside | null, delta: Fields): CallAside | null {
  const { janus, artifacts } = delta
  const counted = isFields(janus) && typeof janus.event === 'string' ? withEvent(aside, janus.event.slice(0, longestWord)) : aside
  const told = isFields(janus) && janus.event === 'artifacts' && isFields(janus.payload) ? janus.payload.items : artifacts
  return Array.isArray(told) ? withArtifacts(counted, told) : counted
}

function withEvent(aside: CallAside | null, name: string): CallAside | null {
  const events = aside?.events ?? {}
  const known = Object.hasOwn(events, name)
  if (!known && Object.keys(events).length >= mostAside) return aside
  return { ...aside, events: { ...events, [name]: (known ? events[name]! : 0) + 1 } }
}

/** An entry with a field of another form is kept without that field; the same thing told twice is kept once. */
function withArtifacts(aside: CallAside | null, told: readonly unknown[]): CallAside | null {
  const kept = new Map((aside?.artifacts ?? []).map((one) => [JSON.stringify(one), one]))
  for (const one of told) {
    if (!isFields(one) || kept.size >= mostAside) continue
    const readable = Object.entries(AsideArtifact.shape).flatMap(([name, schema]) => {
      const { success, data } = schema.safeParse(one[name])
      return success && data !== undefined ? [[name, data] as const] : []
    })
    const artifact: AsideArtifact = Object.fromEntries(readable)
    if (readable.length > 0) kept.set(JSON.stringify(artifact), artifact)
  }
  return kept.size === 0 ? aside : { ...aside, artifacts: [...kept.values()] }
}
