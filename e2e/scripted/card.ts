import { defineCard } from '#shared/benchmarks/define-card.ts'
import type { ProfileRole } from '#shared/contract/card.ts'

const params = { temperature: 0, top_p: null, max_tokens: 1000, stop: null, seed: null, reasoning_effort: null }
const helper = (model: string): ProfileRole => ({
  model,
  provider: null,
  params,
  schema: false,
  estimate: { input_tokens: 200, output_tokens: 20 },
})

/** A benchmark for journeys: a dialogue with a user and a tool, something left behind, and a judge. It is added to a copy of the checkout. */
export const card = defineCard({
  name: 'scripted',
  display_name: 'Scripted dialogue',
  description: 'The model looks numbers up for a user, one a turn, and says their sum at the end; a judge compares it.',
  category: 'Dialogue',
  version: 1,
  fingerprint: '5'.repeat(64),
  evidence: 'judged',
  data: {
    repo: 'invented/scripted',
    revision: '0'.repeat(40),
    licence: 'MIT',
    gated: false,
    files: [{ role: 'test', path: 'scripted.jsonl', sha256: null, rows: 12 }],
  },
  total_items: 12,
  sample_items: 12,
  group_label: null,
  profiles: [
    {
      id: 'builtin',
      title: 'Scripted',
      texts: [],
      files: ['test'],
      tables: [],
      params,
      epochs: 1,
      roles: { judge: helper('scripted-judge'), user: helper('scripted-user') },
    },
  ],
  default_profile: 'builtin',
  default_selected: false,
  metrics: ['unparsed_share'],
  estimate: { input_tokens: 2000, output_tokens: 500 },
  fields: [{ path: 'item_metadata.turns', label: 'Turns', as: 'number' }],
  setup_notes: null,
})
