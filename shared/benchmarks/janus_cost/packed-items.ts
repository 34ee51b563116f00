/** What `items.jsonl` is: written by `npm run pack-tasks`. */
export const packed = {
  sha256: '95b2804f9461645c040016ba970a5f030610cbae10e8f9c4b953bea848a7aa6a',
  rows: 40,
  groups: { concise_response: 15, direct_answer: 5, efficient_explanation: 10, minimal_tools: 10 },
}
