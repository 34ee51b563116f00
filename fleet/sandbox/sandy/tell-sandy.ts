import type { SandyAnswer, SandyQuestion } from '#shared/contract/sandy.ts'
import { processClock } from '../../process-clock.ts'
import { createSandyHttp } from './sandy-http.ts'
import { sandyOptions } from './sandy-options.ts'

/** Longest answer of the service that is handed on, in bytes. */
const mostBytes = 512 * 1024
const withinMs = { resources: 10_000, metrics: 15_000, sandboxes: 20_000 } as const

/** Asks the Sandy service of this agent for its numbers; null where the environment names none. The key stays here. */
export function createSandyTeller(env: Record<string, string | undefined>): ((question: SandyQuestion) => Promise<SandyAnswer>) | null {
  let options: ReturnType<typeof sandyOptions>
  try {
    options = sandyOptions(env)
  } catch {
    return null // `bench doctor` and the sandbox's own probe say what does not fit
  }
  if (!options) return null
  const http = createSandyHttp({ ...options, clock: processClock })
  return async (question) => {
    const asked = { method: 'GET', path: pathOf(question), within_ms: withinMs[question.what], most: mostBytes } as const
    const answer = await http.ask(asked, new AbortController().signal)
    if (answer.type === 'none') return { ok: false, why: `Sandy does not answer: ${answer.why}` }
    if (answer.status !== 200) return { ok: false, why: `Sandy answered ${answer.status}` }
    return { ok: true, body: answer.body.toString('utf8') }
  }
}

function pathOf({ what, hours, ids }: SandyQuestion): string {
  switch (what) {
    case 'resources':
      return 'api/resources'
    case 'metrics':
      return `api/metrics/timeseries?hours=${hours ?? 12}`
    case 'sandboxes':
      return ids?.length ? `api/sandboxes/stats?ids=${ids.map(encodeURIComponent).join(',')}` : 'api/sandboxes/stats'
  }
}
