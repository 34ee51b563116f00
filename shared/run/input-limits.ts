import type { Card } from '../contract/card.ts'
import type { DataIdentity } from '../contract/run.ts'
import type { AskedModel } from './choose-role.ts'
import { RunRefused } from './run-refused.ts'

/** Refuses a benchmark whose questions the model cannot take: pictures, or more tokens than it holds. What is not known passes. */
export function requireInput(card: Card, data: DataIdentity, model: AskedModel, cards: readonly Card[]): void {
  if (wantsPictures(card) && model.input_modalities.length > 0 && !model.input_modalities.includes('image')) {
    const text = cards.find((one) => one.name === `${card.name}_text`)
    const advice = text ? `Choose ${text.name}, its questions without pictures, or another model.` : 'Choose another model.'
    throw invalid(
      `${card.display_name} has questions with pictures, and ${model.slug} takes ${model.input_modalities.join(', ')} only. ${advice}`,
    )
  }
  const least = leastContext(card, data)
  if (least !== null && model.context_length !== null && model.context_length < least) {
    throw invalid(
      `${card.display_name} needs a context of ${tokens(least)} tokens, and ${model.slug} has ${tokens(model.context_length)}. Choose another model.`,
    )
  }
}

/** What could not be checked before the run, for the plan. */
export function inputNotes(card: Card, data: DataIdentity, model: AskedModel): string[] {
  const notes: string[] = []
  if (wantsPictures(card) && model.input_modalities.length === 0)
    notes.push(`${card.name} shows pictures, and whether ${model.slug} takes them is not known: if it does not, those items fail.`)
  const least = leastContext(card, data)
  if (least !== null && model.context_length === null)
    notes.push(`${card.name} needs a context of ${tokens(least)} tokens, and that of ${model.slug} is not known: longer items would fail.`)
  return notes
}

const wantsPictures = (card: Card): boolean => card.input.some((kind) => kind === 'image')

/** Our invented samples are short whatever the benchmark. */
const leastContext = (card: Card, data: DataIdentity): number | null => (data.source === 'sample' ? null : card.min_context)

const tokens = (count: number): string => count.toLocaleString('en-US')
const invalid = (message: string) => new RunRefused('validation', '/model_id', message)
