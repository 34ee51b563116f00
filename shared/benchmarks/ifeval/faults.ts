const letter = 'The letter is a sign that upstream replaces by a random letter; here the sign itself is counted.'

/** Rows of the data that are known to be faulty (reference 5.6), by key. They are asked and scored as they are, and flagged. */
export const faults: ReadonlyMap<string, string> = new Map([
  ['1122', letter],
  ['1129', letter],
  ['2078', 'The prompt asks for bullet points in a way that contradicts its arguments.'],
  ['337', 'The prompt asks for 400 words, its arguments for 336.'],
  ['30', 'The same instruction is listed twice.'],
])
