/** What `items.jsonl` is: written by `npm run pack-tasks`. */
export const packed = {
  sha256: 'aa48014b34f9062615cbadcf3d9bfdd2dc86a07bf2842a7518f2573f2f928024',
  rows: 60,
  groups: { image_generation: 20, image_understanding: 20, mixed_media: 10, modality_routing: 10 },
}
