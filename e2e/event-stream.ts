import { EventList } from '#shared/contract/api.ts'
import { StreamedEvent } from '#shared/contract/event.ts'

export type StreamMessage = { id: number | null; kind: string; data: string }

/** Reads server-sent events as they come, one message at a time; comments and `retry` are left out. */
export async function* readStream(response: Response): AsyncGenerator<StreamMessage> {
  let rest = ''
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]))
      const data = fields.get('data')
      if (data !== undefined) yield { id: fields.has('id') ? Number(fields.get('id')) : null, kind: fields.get('event') ?? 'message', data }
    }
  }
}

/** The events of a stream up to its `done`, or until `enough` says so; snapshots are not events. Closes the stream. */
export async function collectEvents(
  response: Response,
  enough: (events: StreamedEvent[]) => boolean = () => false,
): Promise<StreamedEvent[]> {
  const events: StreamedEvent[] = []
  for await (const { kind, data } of readStream(response)) {
    if (kind === 'done') break
    const parsed = StreamedEvent.safeParse(JSON.parse(data))
    if (parsed.success) events.push(parsed.data)
    if (enough(events)) break
  }
  return events
}

/** All events of a run from the JSON form of the same address, page by page. */
export async function listEvents(base: string, runId: string): Promise<StreamedEvent[]> {
  const events: StreamedEvent[] = []
  for (;;) {
    const response = await fetch(`${base}/api/runs/${runId}/events?format=json&limit=1000&after=${events.at(-1)?.id ?? 0}`)
    const page = EventList.parse(await response.json())
    events.push(...page.events)
    if (page.next_after === null) return events
  }
}
