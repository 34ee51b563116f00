/** What `items.jsonl` is: written by `npm run pack-tasks`. */
export const packed = {
  sha256: 'f3de043e17deda152704377a96965fca3d11aceac911072835eb568543dc0401',
  rows: 60,
  groups: { image_generation: 20, image_understanding: 20, mixed_media: 10, modality_routing: 10 },
}
