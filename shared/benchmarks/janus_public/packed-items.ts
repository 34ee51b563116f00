/** What `items.jsonl` is: written by `npm run pack-tasks`. */
export const packed = {
  sha256: '42cfe3c745d4d539c854fe6bef5628981173cb6381a12c0271d9fe2abcee2dae',
  rows: 180,
  groups: {
    'public/dev agentic': 9,
    'public/dev chat': 12,
    'public/dev code': 12,
    'public/dev deep_research': 6,
    'public/dev multimodal': 9,
    'public/dev research': 12,
    'public/train agentic': 18,
    'public/train chat': 24,
    'public/train code': 24,
    'public/train deep_research': 12,
    'public/train multimodal': 18,
    'public/train research': 24,
  },
}
