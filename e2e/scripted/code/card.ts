import { defineCard } from '#shared/benchmarks/define-card.ts'

const params = { temperature: 0, top_p: null, max_tokens: 1000, stop: null, seed: null, reasoning_effort: null }

/** A benchmark for journeys whose trials run a program: it is added to a copy of the checkout. */
export const card = defineCard({
  name: 'scripted_code',
  display_name: 'Scripted program',
  description: 'What the model says goes through a program in a sandbox.',
  category: 'Code',
  version: 1,
  fingerprint: '6'.repeat(64),
  evidence: 'completion',
  needs: {
    sandbox: { kinds: ['bwrap'], cpus: 0.5, memory_mb: 64, disk_mb: 16, images: [] },
    timing_sensitive: false,
    typical_seconds: 5,
  },
  data: {
    repo: 'invented/scripted_code',
    revision: '0'.repeat(40),
    licence: 'MIT',
    gated: false,
    files: [{ role: 'test', path: 'scripted.jsonl', sha256: null, rows: 6 }],
  },
  total_items: 6,
  sample_items: 6,
  group_label: null,
  profiles: [{ id: 'builtin', title: 'Scripted', texts: [], files: ['test'], tables: [], params, epochs: 1 }],
  default_profile: 'builtin',
  default_selected: false,
  metrics: ['unparsed_share'],
  estimate: { input_tokens: 200, output_tokens: 50 },
  fields: [],
  setup_notes: null,
})
