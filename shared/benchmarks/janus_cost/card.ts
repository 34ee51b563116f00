import { janusCard } from '../../janus/janus-card.ts'
import { packed } from './packed-items.ts'

export const card = janusCard('janus_cost', {
  display_name: 'Janus cost',
  description: 'Answers that are right with few words and few tools, measured by the tokens that they took.',
  fingerprint: '4e9b9278ca8302c3cbbdd609e847dbe94273a8770c24bf7d90cde56b06ff25ba',
  packed,
  at_once: 5,
  seconds: 15,
  total_ms: 60_000,
  estimate: { input_tokens: 80, output_tokens: 80 },
})
