/** What `items.jsonl` is: written by `npm run pack-tasks`. */
export const packed = {
  sha256: '2290c3e3fa8c7d814b969f27dcb013c8ec5332257dafe896d4bd36f62cc0ac5a',
  rows: 60,
  groups: { image_generation: 20, image_understanding: 20, mixed_media: 10, modality_routing: 10 },
}
