import { janusCard } from '../../janus/janus-card.ts'
import { packed } from './packed-items.ts'

export const card = janusCard('janus_research', {
  display_name: 'Janus research',
  description:
    'Claims to check and questions to look up, compare and sum up; answers are held against facts, by a judge too where one is named.',
  fingerprint: 'cdfb125bc50132cef08bc6c54913095ce3a9bbf7ea25bd39685edeccae87869c',
  packed,
  at_once: 3,
  seconds: 40,
  judged: true,
  total_ms: 300_000,
  estimate: { input_tokens: 300, output_tokens: 800 },
})
