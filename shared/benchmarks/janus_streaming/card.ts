import { janusCard } from '../../janus/janus-card.ts'
import { packed } from './packed-items.ts'

export const card = janusCard('janus_streaming', {
  display_name: 'Janus streaming',
  description: 'How soon answers begin, how fast and how evenly they come: short ones, long ones, and such with reasoning.',
  fingerprint: '495a3228c30fddaeda1b1403c3b7c4cd01f29db2a66524427ac8b31a42ab3307',
  packed,
  at_once: 1,
  seconds: 30,
  timing_sensitive: true,
  total_ms: 120_000,
  estimate: { input_tokens: 60, output_tokens: 500 },
})
