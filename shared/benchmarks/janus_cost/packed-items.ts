/** What `items.jsonl` is: written by `npm run pack-tasks`. */
export const packed = {
  sha256: 'd3a7e603e25dbd089032c3a16e5755450a781e59bba48434395ce34d624f49c6',
  rows: 40,
  groups: { concise_response: 15, direct_answer: 5, efficient_explanation: 10, minimal_tools: 10 },
}
