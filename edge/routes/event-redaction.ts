import type { StreamedEvent } from '#shared/contract/event.ts'

/** Takes answers and expected answers out of an event of a gated benchmark, for visitors who do not own the run. */
export function redactEvent(event: StreamedEvent, withheld: ReadonlySet<string>): StreamedEvent {
  const { results } = event.data
  if (event.benchmark_name === null || !withheld.has(event.benchmark_name) || !Array.isArray(results)) return event
  const redacted = results.map((result) =>
    typeof result === 'object' && result !== null && !Array.isArray(result) ? { ...result, answer: null, expected: null } : null,
  )
  return { ...event, data: { ...event.data, results: redacted } }
}

/** The same over a live stream of server-sent events: every `data:` line is read, redacted and written again; all else passes. */
export function redactStream(live: Response, withheld: ReadonlySet<string>): Response {
  if (!live.body) return live
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let rest = ''
  const redacted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.map((line) => `${redactLine(line, withheld)}\n`).join('')))
    },
    flush(controller) {
      if (rest) controller.enqueue(encoder.encode(redactLine(rest, withheld)))
    },
  })
  return new Response(live.body.pipeThrough(redacted), { status: live.status, headers: live.headers })
}

function redactLine(line: string, withheld: ReadonlySet<string>): string {
  if (!line.startsWith('data: {') || !line.includes('"results"')) return line
  const event = JSON.parse(line.slice('data: '.length)) as StreamedEvent // written by our own run object
  return `data: ${JSON.stringify(redactEvent(event, withheld))}`
}
