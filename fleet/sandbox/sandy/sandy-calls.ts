import * as z from 'zod'
import type { Outcome } from '#shared/contract/failure.ts'
import { createRedact } from '../../model/provider-failure.ts'
import { type Pace, type Patience, repeat, type Tried } from './repeat.ts'
import type { Answer, SandyHttp } from './sandy-http.ts'

/** What became of a command: an answer, or that there is none; `not-run` only where it certainly did not run. */
export type Execed = { type: 'answer'; stdout: string; stderr: string; exitCode: number } | { type: 'not-run' | 'lost'; why: string }

const Created = z.object({ sandboxId: z.string().min(1).max(200) })
const text = z
  .string()
  .nullish()
  .transform((said) => said ?? '')
const ExecAnswer = z.object({ stdout: text, stderr: text, exitCode: z.int() })
const FileAnswer = z.object({ content: z.string(), encoding: z.string().nullish() })
const Complaint = z.object({ error: z.unknown(), detail: z.unknown(), message: z.unknown() }).partial()

const createPatience: Patience = { tries: 3, answer_ms: 90_000, first_ms: 1000, longest_ms: 10_000 }
const execPatience: Patience = { tries: 4, answer_ms: 60_000, first_ms: 2000, longest_ms: 15_000 }
const filePatience: Patience = { tries: 5, answer_ms: 30_000, first_ms: 1000, longest_ms: 10_000 }
const terminatePatience: Patience = { tries: 2, answer_ms: 30_000, first_ms: 1000, longest_ms: 1000 }
/** How much longer than a command the service's answer to it may take. */
const execSlack_ms = 30_000

const passing = new Set([408, 429, 500, 502, 503, 504])
/** The request cannot be right: it would be refused again. */
const lasting = new Set([400, 404, 405, 422, 501])
/** What a service says whose machine has no agent to run a command yet. */
const notReady = /vsock|agent[^.]{0,40}not ready/i

/** The calls of Sandy that sandboxes are made of, each with its patience. Nothing here throws. */
export function createSandyCalls(http: SandyHttp, api_key: string, pace: Omit<Pace, 'signal'>) {
  const redact = createRedact([api_key])
  const say = (answer: Answer): string => redact(answer.type === 'none' ? answer.why : `HTTP ${answer.status} ${complaintOf(answer.body)}`)
  const at = (id: string, what: string): string => `api/sandboxes/${encodeURIComponent(id)}/${what}`

  return {
    redact,
    /**
     * Makes a sandbox; its id. An abort ends the tries but not a request that is on its way: it may make a sandbox, whose id is then needed to
     * end it. One whose answer was cut off has an id that nobody knows: that is what its time to live is for.
     */
    create: (ttl_seconds: number, signal: AbortSignal): Promise<Outcome<string>> =>
      repeat(createPatience, { ...pace, signal }, async (): Promise<Tried<Outcome<string>>> => {
        const body = { priority: 3, preemptable: true, flavor: 'basic', ttl_seconds }
        const asked = { method: 'POST', path: 'api/sandboxes', body, within_ms: createPatience.answer_ms } as const
        const answer = await http.ask(asked, new AbortController().signal)
        if (answer.type === 'none') return again(sandyFailure(true, `Sandy cannot be reached: ${say(answer)}.`))
        const { status } = answer
        if (status === 401 || status === 403) return end(keyRefused(status))
        const made = isFine(status) ? Created.safeParse(jsonOf(answer.body)) : null
        if (made?.success) return end({ ok: true, value: made.data.sandboxId })
        const refused = sandyFailure(!lasting.has(status), `Sandy made no sandbox: ${say(answer)}`, status)
        return passing.has(status) ? again(refused) : end(refused)
      }),

    /**
     * Runs a shell command. It is repeated only where it certainly did not run: no connection, a machine that is not ready, 429 and 503. After
     * any other end of the connection it may have run, and a second time would be another result.
     */
    exec: (id: string, command: string, timeout_ms: number, most: number, signal: AbortSignal): Promise<Execed> =>
      repeat(execPatience, { ...pace, signal }, async (): Promise<Tried<Execed>> => {
        const within_ms = Math.max(execPatience.answer_ms, timeout_ms + execSlack_ms)
        const body = { command, cwd: '/', env: {}, timeoutMs: timeout_ms }
        const answer = await http.ask({ method: 'POST', path: at(id, 'exec'), body, within_ms, most }, signal)
        if (answer.type === 'none')
          return answer.begun ? end({ type: 'lost', why: say(answer) }) : again({ type: 'not-run', why: say(answer) })
        const ran = isFine(answer.status) ? ExecAnswer.safeParse(jsonOf(answer.body)) : null
        // Without its report a command did not get as far as our program, which alone speaks on these channels.
        if (ran?.success) {
          const { stdout, stderr, exitCode } = ran.data
          if (exitCode !== 0 && stdout === '' && notReady.test(stderr)) return again({ type: 'not-run', why: redact(stderr) })
          return end({ type: 'answer', stdout, stderr, exitCode })
        }
        const refused = answer.status === 429 || answer.status === 503 || notReady.test(complaintOf(answer.body))
        return refused ? again({ type: 'not-run', why: say(answer) }) : end({ type: 'lost', why: say(answer) })
      }),

    /** Writes a text; whether it is there. */
    write: (id: string, path: string, content: string, signal: AbortSignal): Promise<boolean> =>
      repeat(filePatience, { ...pace, signal }, async (): Promise<Tried<boolean>> => {
        const asked = { method: 'POST', path: at(id, 'files/write'), body: { path, content }, within_ms: filePatience.answer_ms } as const
        const answer = await http.ask(asked, signal)
        return answer.type === 'answer' && !passing.has(answer.status) ? end(isFine(answer.status)) : again(false)
      }),

    /** Reads a text, whether it comes as JSON or as it is; null where it is not to be had. */
    read: (id: string, path: string, most: number, signal: AbortSignal): Promise<string | null> =>
      repeat(filePatience, { ...pace, signal }, async (): Promise<Tried<string | null>> => {
        const query = new URLSearchParams({ path }).toString()
        const asked = { method: 'GET', path: `${at(id, 'files/read')}?${query}`, within_ms: filePatience.answer_ms, most } as const
        const answer = await http.ask(asked, signal)
        if (answer.type === 'none' || passing.has(answer.status)) return again(null)
        return end(isFine(answer.status) ? fileText(answer.body) : null)
      }),

    /** Ends a sandbox; null, or why it may live on. */
    terminate: (id: string): Promise<string | null> => {
      const never = new AbortController().signal
      return repeat(terminatePatience, { ...pace, signal: never }, async (): Promise<Tried<string | null>> => {
        const answer = await http.ask({ method: 'POST', path: at(id, 'terminate'), within_ms: terminatePatience.answer_ms }, never)
        return answer.type === 'answer' && (isFine(answer.status) || answer.status === 404) ? end(null) : again(say(answer))
      })
    },

    /** What the service says it has; null where it does not say. */
    async resources(signal: AbortSignal): Promise<unknown> {
      const answer = await http.ask({ method: 'GET', path: 'api/resources', within_ms: filePatience.answer_ms }, signal)
      return answer.type === 'answer' && isFine(answer.status) ? jsonOf(answer.body) : null
    },
  }
}

export type SandyCalls = ReturnType<typeof createSandyCalls>

/** The failure of a trial that Sandy has no sandbox for. */
export function sandyFailure(retryable: boolean, detail: string, status: number | null = null): Outcome<never> {
  return { ok: false, failure: { at: 'sandbox', reason: 'unavailable', retryable, status, detail: detail.slice(0, 2000) } }
}

const keyRefused = (status: number): Outcome<never> => ({
  ok: false,
  failure: {
    ...{ at: 'sandbox', reason: 'denied', retryable: false, status },
    detail: `Sandy refuses this agent's key (HTTP ${status}). The agent's operator must put a valid one into SANDY_API_KEY and start the agent again.`,
  },
})

const end = <T>(value: T): Tried<T> => ({ type: 'end', value })
const again = <T>(otherwise: T): Tried<T> => ({ type: 'again', otherwise })
const isFine = (status: number): boolean => status >= 200 && status < 300

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}

/** The content of a file; a raw one could be JSON itself, but not of this form: what is read here is base64. */
function fileText(body: Buffer): string {
  const { data } = FileAnswer.safeParse(jsonOf(body))
  if (!data) return body.toString('latin1')
  return data.encoding === 'base64' ? Buffer.from(data.content, 'base64').toString('latin1') : data.content
}

/** What an answer complains of: the form of errors is not fixed. */
function complaintOf(body: Buffer): string {
  const { data } = Complaint.safeParse(jsonOf(body))
  const said = [data?.error, data?.detail, data?.message].find((one) => one !== undefined && one !== null)
  if (said === undefined) return body.toString('utf8').slice(0, 300)
  return typeof said === 'string' ? said : JSON.stringify(said)
}
