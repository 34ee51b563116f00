import type { Item } from '../contract/item.ts'
import { ScoredFacts } from './score/scored-facts.ts'

/** What a model would answer to an item in words, with what is looked for in it or without. Tools are called by no demo. */
export function demoAnswer({ metadata, target }: Pick<Item, 'metadata' | 'target'>, right: boolean): string {
  if (!right) return 'No.'
  const facts = ScoredFacts.parse(metadata)
  const { evaluation = {}, expected } = facts
  const looked = [
    facts.expected_answer ?? [],
    facts.expected_facts ?? [],
    facts.expected_output_contains ?? [],
    facts.expected_keywords ?? [],
    evaluation.expected_topics ?? [],
    evaluation.required_aspects ?? [],
    evaluation.required_elements ?? [],
    evaluation.required_concepts ?? [],
    evaluation.expected_elements ?? [],
    evaluation.expected ?? [],
    evaluation.required ?? [],
    evaluation.quality_criteria ?? [],
    evaluation.expected_answer_contains ?? [],
    expected?.contains ?? [],
    expected?.must_cover ?? [],
    facts.expected_behavior === undefined ? [] : (evaluation.indicators?.[facts.expected_behavior] ?? []),
  ].flat()
  return looked.length === 0 ? target : looked.join(', ')
}
