import type { Card } from '../contract/card.ts'
import type { EvidenceKind } from '../contract/evidence.ts'

/** A card whose name and kind of evidence stay literal types, so that the compiler can match cards, tasks, solvers and scorers. */
export function defineCard<const N extends string, const K extends EvidenceKind>(
  card: Card & { name: N; evidence: K },
): Card & { name: N; evidence: K } {
  return card
}
