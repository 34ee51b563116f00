import { janusCard } from '../../janus/janus-card.ts'
import { packed } from './packed-items.ts'

export const card = janusCard('janus_tool_use', {
  display_name: 'Janus tool use',
  description: 'Functions to call, tools to choose and to chain, code to run; tools are answered by a simulator, the same for everyone.',
  fingerprint: '1c0884c1bcb7dade82a87f72065c269f50e381d1c9a143968126dce4fb5e2146',
  packed,
  at_once: 5,
  seconds: 30,
  sandbox: true,
  total_ms: 120_000,
  estimate: { input_tokens: 1500, output_tokens: 500 },
})
