import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import { preflightLines } from '#shared/run/preflight-text.ts'
import { costParts } from './numbers.ts'
import { cleanLine, paint } from './terminal.ts'

/** What was found before the first trial, as people read it; nothing where no one has looked. */
export function preflightShown(
  { preflight }: Pick<RunHead, 'preflight'>,
  { benchmarks }: Pick<RunSpec, 'benchmarks'>,
  colour: boolean,
): string[] {
  if (!preflight?.found) return []
  const lines = preflightLines(preflight.found, benchmarks)
  const says = lines.map(({ tone, text }) =>
    tone === 'good' ? cleanLine(text, 300) : paint(cleanLine(text, 300), tone === 'bad' ? 'red' : 'yellow', colour),
  )
  const { usage } = preflight.spent
  const took = [`${usage.input_tokens + usage.output_tokens} tokens`, ...costParts(preflight.spent)].join(', ')
  return [`pre-flight (${took}): ${says.join(' ')}`]
}
