import { defineCard } from '#shared/benchmarks/define-card.ts'

const params = { temperature: 0, top_p: null, max_tokens: 1000, stop: null, seed: null, reasoning_effort: null }

/** A benchmark for journeys with many small sandboxes at once: it is added to a copy of the checkout once for each kind of sandbox. */
export const card = defineCard({
  name: 'scripted_crowd_bwrap',
  display_name: 'Scripted crowd',
  description: 'Many programs that wait, each in a sandbox of its own.',
  category: 'Code',
  version: 1,
  fingerprint: '7'.repeat(64),
  evidence: 'completion',
  needs: {
    sandbox: { kinds: ['bwrap'], cpus: 0.1, memory_mb: 48, disk_mb: 4, images: [] },
    timing_sensitive: false,
    typical_seconds: 5,
  },
  data: {
    repo: 'invented/scripted_crowd',
    revision: '0'.repeat(40),
    licence: 'MIT',
    gated: false,
    files: [{ role: 'test', path: 'scripted.jsonl', sha256: null, rows: 50 }],
  },
  total_items: 50,
  sample_items: 50,
  group_label: null,
  profiles: [{ id: 'builtin', title: 'Scripted', texts: [], files: ['test'], tables: [], params, epochs: 1 }],
  default_profile: 'builtin',
  default_selected: false,
  metrics: ['unparsed_share'],
  estimate: { input_tokens: 200, output_tokens: 50 },
  fields: [],
  setup_notes: null,
})
