import type * as z from 'zod'
import type { Card } from '../contract/card.ts'
import type { EvidenceKind } from '../contract/evidence/evidence.ts'
import { questionNeeds } from '../contract/resources.ts'

/**
 * A card whose name and kind of evidence stay literal types, so that the compiler can match cards, tasks, solvers and scorers.
 * Fields that most cards leave out get their defaults.
 */
export function defineCard<const N extends string, const K extends EvidenceKind>(
  card: z.input<typeof Card> & { name: N; evidence: K },
): Card & { name: N; evidence: K } {
  return { ...card, needs: card.needs ?? questionNeeds, input: card.input ?? ['text'], min_context: card.min_context ?? null }
}
