/** What `items.jsonl` is: written by `npm run pack-tasks`. */
export const packed = {
  sha256: '5bd486920a74f8f940b04f42d5f4544a43a34e8711c2d59f3322ad72190c72ac',
  rows: 60,
  groups: { image_generation: 20, image_understanding: 20, mixed_media: 10, modality_routing: 10 },
}
