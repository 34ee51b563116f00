/** What `items.jsonl` is: written by `npm run pack-tasks`. */
export const packed = {
  sha256: '80985ce4aea430c9e80a3b43b55a0212235a6f48b7b0bc623944ef6cc10bf5b0',
  rows: 50,
  groups: { long_response: 20, reasoning_response: 10, short_response: 20 },
}
