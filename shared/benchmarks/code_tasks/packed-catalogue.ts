/** What `catalogue.jsonl` is: written by `npm run pack-tasks`. */
export const packed = {
  sha256: '39a7e4ea8a06c5b9febcec62571aff566629537b223201a6f60ea68db22c782a',
  rows: 2,
  groups: { javascript: 1, python: 1 },
}
