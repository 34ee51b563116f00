/** What a score was made on, as it stands beside it: a score on a sample or on chosen items says nothing about the benchmark. */
export function scoredOn(source: string, chosen = false): string {
  const data = source === 'sample' ? 'SAMPLE' : source
  return chosen ? `${data}, CHOSEN ITEMS` : data
}
