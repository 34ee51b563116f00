import { janusCard } from '../../janus/janus-card.ts'
import { packed } from './packed-items.ts'

export const card = janusCard('janus_public', {
  display_name: 'Janus public tasks',
  description: 'The public tasks of the suite in six categories: chat, research, code, pictures, agents and deep research.',
  version: 2,
  fingerprint: 'dc54937ed918fe2f5523e06157cd504401681b38b4a6fd572c1983f181ceed75',
  packed,
  seconds: 40,
  sandbox: true,
  pictures: true,
  total_ms: 300_000,
  estimate: { input_tokens: 200, output_tokens: 500 },
})
