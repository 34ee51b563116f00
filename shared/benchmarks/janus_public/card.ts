import { janusCard } from '../../janus/janus-card.ts'
import { packed } from './packed-items.ts'

export const card = janusCard('janus_public', {
  display_name: 'Janus public tasks',
  description: 'The public tasks of the suite in six categories: chat, research, code, pictures, agents and deep research.',
  version: 2,
  fingerprint: 'f84528dc00fc400fae0ee7bc8f6d29d21517157ee644e8c191c6cf1b8b3b99f1',
  packed,
  seconds: 40,
  sandbox: true,
  pictures: true,
  total_ms: 300_000,
  estimate: { input_tokens: 200, output_tokens: 500 },
})
