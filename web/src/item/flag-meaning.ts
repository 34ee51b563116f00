const meanings: Record<string, string> = {
  unparsed: 'No answer could be read from the text; it counts as wrong.',
  empty: 'The model answered with no text; it counts as wrong.',
  truncated: 'The answer was cut off at the token limit.',
  truncated_reasoning: 'The reasoning was cut off before it ended.',
  no_box: 'The answer has no \\boxed{}; the scorer looked elsewhere.',
  unparsed_box: 'The last \\boxed{} holds nothing that could be read.',
  withheld: 'The text is withheld: the data set is gated.',
}

/** What a flag means, in a sentence; a flag the page does not know explains itself by its name. */
export function flagMeaning(flag: string): string {
  const level = /^level_(\d+)$/.exec(flag)?.[1]
  if (level) return level === '1' ? 'Read by the first pattern: the answer was stated as asked.' : `Read by fallback pattern ${level}.`
  return meanings[flag] ?? flag.replaceAll('_', ' ')
}
