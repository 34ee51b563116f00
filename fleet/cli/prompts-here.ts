import { type Prompt, renderPrompts } from '#fleet/render-prompts.ts'
import { planLocal } from '#fleet/run-local.ts'
import type { CreateRun } from '#shared/contract/create-run.ts'
import type { Io } from './io.ts'
import { askedHere, refusedHere } from './run-here.ts'
import { clean, cleanLine, paint } from './terminal.ts'

/** `bench run --local --dry-run`: what would be sent, trial after trial, and nothing else. Writes nothing and asks no model. */
export async function promptsHere(body: CreateRun, json: boolean, io: Io): Promise<void> {
  const asked = { ...askedHere(body, io), onNote: (sentence: string) => io.err(cleanLine(sentence, 300)) }
  await planLocal(asked, async (planned) => {
    for await (const prompt of renderPrompts(planned)) {
      io.signal.throwIfAborted()
      if (json) io.out(JSON.stringify({ type: 'prompt', model: planned.spec.model.slug, ...prompt }))
      else for (const line of promptText(prompt, io.colour)) io.out(line)
    }
  }).catch(refusedHere(io))
}

/** A prompt as people read it: what it belongs to, what is sent beside it, and every message whole. */
function promptText({ benchmark, profile, item_id, source_id, epoch, messages, params }: Prompt, colour: boolean): string[] {
  const sent = Object.entries(params).flatMap(([name, value]) => (value === null ? [] : [`${name} ${JSON.stringify(value)}`]))
  const lines = [
    paint(`${benchmark} item ${item_id} (${cleanLine(source_id ?? '–')}) epoch ${epoch}`, 'bold', colour),
    cleanLine(`profile ${profile}${sent.length > 0 ? `, ${sent.join(', ')}` : ''}`),
  ]
  for (const { role, content, pictures = [] } of messages) {
    lines.push('', paint(`── ${role}`, 'dim', colour), clean(content))
    for (const { media_type, bytes } of pictures) lines.push(`[a picture: ${cleanLine(media_type)}, ${bytes} bytes]`)
  }
  return [...lines, '']
}
