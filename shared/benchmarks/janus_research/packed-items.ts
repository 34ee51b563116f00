/** What `items.jsonl` is: written by `npm run pack-tasks`. */
export const packed = {
  sha256: '8ad23001bcba913bddce64a82e3fc4b923cad2670f8e2cff6e2604b53de3a192',
  rows: 100,
  groups: { comparative: 20, current_events: 20, deep_dive: 20, fact_verification: 20, synthesis: 20 },
}
