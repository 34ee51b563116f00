import * as z from 'zod'
import { EventList, Run } from '#shared/contract/api.ts'
import type { StreamedEvent } from '#shared/contract/event.ts'
import { TrialRecord } from '#shared/contract/trial.ts'
import { simulatedRun } from '../provider/run-body.ts'

const callMs = 15_000
const retryMs = 50

export type Api = ReturnType<typeof openApi>
export type RunState = { id: string; status: string; done: number }

/** The HTTP API as this proof uses it. Calls named `try…` give undefined while something is away; the others go on until they get through. */
export function openApi(url: string) {
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${url}${path}`, { ...init, signal: AbortSignal.timeout(callMs) })
  const tryJson = async <T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> => {
    try {
      const response = await ask(path)
      return response.ok ? schema.parse(await response.json()) : undefined
    } catch {
      return undefined
    }
  }
  const getJson = <T>(path: string, schema: z.ZodType<T>): Promise<T> => persist(`GET ${path}`, () => tryJson(path, schema))

  return {
    healthy: async (): Promise<boolean> => (await tryJson('/api/health', z.object({ status: z.literal('healthy') }))) !== undefined,
    /** Sessions of the connected agents. */
    async trySessions(): Promise<string[] | undefined> {
      const Agents = z.object({ agents: z.array(z.object({ session: z.string().nullable(), connected: z.boolean() })) })
      const list = await tryJson('/api/agents', Agents)
      return list?.agents.flatMap((agent) => (agent.connected && agent.session ? [agent.session] : []))
    },
    /** Starts a run of all questions; repeated under one Idempotency-Key until it is answered. */
    createRun(key: string, concurrency: number): Promise<string> {
      const body = { ...simulatedRun, concurrency }
      const headers = { 'content-type': 'application/json', 'idempotency-key': key }
      return persist('POST /api/runs', async () => {
        const response = await ask('/api/runs', { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => undefined)
        if (response && response.status >= 400 && response.status < 500) throw new Error(`POST /api/runs: ${await response.text()}`)
        return response?.ok ? z.object({ id: z.string() }).parse(await response.json()).id : undefined
      })
    },
    async tryRun(id: string): Promise<RunState | undefined> {
      const State = z.object({ status: z.string(), head: z.object({ done: z.int() }) })
      const run = await tryJson(`/api/runs/${id}`, State)
      return run && { id, status: run.status, done: run.head.done }
    },
    getRun: (id: string): Promise<Run> => getJson(`/api/runs/${id}`, Run),
    /**
     * All trials that Postgres holds, once the run has ended. A download that was cut by a blow may look whole, so a short one is asked for
     * again while `calm` says no; what is short then is judged as it is.
     */
    getTrials: (id: string, count: number, calm: () => boolean): Promise<TrialRecord[]> =>
      persist(`export of ${id}`, async () => {
        const wasCalm = calm()
        const response = await ask(`/api/runs/${id}/export?format=jsonl`).catch(() => undefined)
        if (!response?.ok) return undefined
        const text = await response.text().catch(() => undefined)
        const trials = text?.split('\n').filter(Boolean).flatMap(toTrial)
        return trials && (trials.length === count || (wasCalm && calm())) ? trials : undefined
      }),
    /** All numbered events that Postgres holds. */
    async getEvents(id: string): Promise<StreamedEvent[]> {
      const events: StreamedEvent[] = []
      for (let page: z.infer<typeof EventList> | undefined; page?.next_after !== null; events.push(...page.events)) {
        page = await getJson(`/api/runs/${id}/events?format=json&limit=1000&after=${events.at(-1)?.id ?? 0}`, EventList)
      }
      return events
    },
  }
}

/** A line that was cut in the middle is no trial. */
function toTrial(line: string): TrialRecord[] {
  return line.endsWith('}') ? [TrialRecord.parse(JSON.parse(line))] : []
}

const patienceMs = 120_000

/** Repeats `work` until it gives something. Throws after two minutes: then something that was struck did not come back. */
export async function persist<T>(what: string, work: () => Promise<T | undefined>, forMs = patienceMs): Promise<T> {
  for (const deadline = Date.now() + forMs; Date.now() < deadline; ) {
    const found = await work()
    if (found !== undefined) return found
    await new Promise((done) => setTimeout(done, retryMs))
  }
  throw new Error(`${what}: nothing in ${forMs / 1000} s`)
}
