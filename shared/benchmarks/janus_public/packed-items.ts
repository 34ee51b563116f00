/** What `items.jsonl` is: written by `npm run pack-tasks`. */
export const packed = {
  sha256: 'ef1a3e6a7e9df78a5332c46b5620a2587b04734b9712ff5a0208ad289ec16b5f',
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
