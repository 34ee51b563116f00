import { janusCard } from '../../janus/janus-card.ts'
import { packed } from './packed-items.ts'

export const card = janusCard('janus_multimodal', {
  display_name: 'Janus multimodal',
  description: 'Pictures to read, to make and to tell apart from words.',
  fingerprint: 'bba076a91936f0f027aab90948a5f6443d4d5ed6b76a64ab75e08cfee1b38994',
  packed,
  at_once: 3,
  seconds: 40,
  pictures: true,
  total_ms: 180_000,
  estimate: { input_tokens: 600, output_tokens: 300 },
})
