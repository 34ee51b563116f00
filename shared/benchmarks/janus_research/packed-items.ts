/** What `items.jsonl` is: written by `npm run pack-tasks`. */
export const packed = {
  sha256: 'c8ab58b6ca83b6b4c400769bc1d4b24448585db5342a338104ca44300a878a7d',
  rows: 100,
  groups: { comparative: 20, current_events: 20, deep_dive: 20, fact_verification: 20, synthesis: 20 },
}
