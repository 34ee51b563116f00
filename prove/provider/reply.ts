/** An answer of the simulated model to a prompt; tool calls are sent in dialects only. */
export type Reply = {
  text: string
  reasoning?: string
  finish_reason?: string
  calls?: { id: string | null; name: string; arguments: string }[]
}

export type UsageForm = 'last' | 'every' | 'none'

/** A reply cut into server-sent frames, ready to send; `usage_end` is the byte offset at which its usage has been told. */
export type Frames = { frames: Buffer[]; whole: Buffer; usage_end: number; input_tokens: number; output_tokens: number }

/** Tokens by the usual rule of thumb: four characters each. */
export const tokensOf = (text: string): number => Math.max(1, Math.ceil(text.length / 4))

/** Renders a reply in the frames of an OpenAI stream, `chunkChars` characters a delta. */
export function renderReply(reply: Reply, prompt_tokens: number, model: string, usage: UsageForm, chunkChars: number): Frames {
  const completion_tokens = tokensOf(reply.text + (reply.reasoning ?? ''))
  const counts = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
  const base = { id: 'chatcmpl-sim', object: 'chat.completion.chunk', created: 1_700_000_000, model, system_fingerprint: 'fp_sim' }
  const frame = (fields: object): string => `data: ${JSON.stringify({ ...base, ...fields })}\n\n`
  const choice = (delta: object, finish_reason: string | null): object => ({ choices: [{ index: 0, delta, finish_reason }] })
  const deltas = [
    ...cut(reply.reasoning ?? '', chunkChars).map((part) => ({ reasoning_content: part })),
    ...cut(reply.text, chunkChars).map((part) => ({ content: part })),
  ]
  const texts = deltas.map((delta, index) =>
    frame({ ...choice(index === 0 ? { role: 'assistant', ...delta } : delta, null), ...(usage === 'every' ? { usage: counts } : {}) }),
  )
  texts.push(frame(choice({}, reply.finish_reason ?? 'stop')))
  if (usage !== 'none') texts.push(frame({ choices: [], usage: counts }))
  texts.push('data: [DONE]\n\n')
  const frames = texts.map((text) => Buffer.from(text))
  const last = usage === 'none' ? Number.POSITIVE_INFINITY : usage === 'every' ? 1 : frames.length - 1
  const usage_end = last === Number.POSITIVE_INFINITY ? last : frames.slice(0, last).reduce((sum, part) => sum + part.length, 0)
  return { frames, whole: Buffer.concat(frames), usage_end, input_tokens: prompt_tokens, output_tokens: completion_tokens }
}

function cut(text: string, size: number): string[] {
  const parts: string[] = []
  for (let from = 0; from < text.length; from += size) parts.push(text.slice(from, from + size))
  return parts
}
