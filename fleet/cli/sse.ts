export type SseMessage = { event: string; data: string }

/** Messages of a server-sent event stream as they come; comments and other fields are skipped. Ends with the body. */
export async function* sseMessages(response: Response): AsyncGenerator<SseMessage> {
  if (!response.body) return
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of response.body) {
    rest += decoder.decode(bytes, { stream: true })
    const blocks = rest.split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const message = messageOf(block)
      if (message) yield message
    }
  }
}

function messageOf(block: string): SseMessage | undefined {
  const fields = block.split(/\r?\n/).map((line) => /^(event|data): ?(.*)$/.exec(line))
  const all = (name: string) => fields.flatMap((field) => (field?.[1] === name ? [field[2] ?? ''] : []))
  const data = all('data')
  return data.length > 0 ? { event: all('event').at(-1) ?? 'message', data: data.join('\n') } : undefined
}
