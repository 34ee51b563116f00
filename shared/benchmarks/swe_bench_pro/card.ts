import type { Profile } from '../../contract/card.ts'
import { defineCard } from '../define-card.ts'

/** Upstream's repository of run scripts, parsers and Dockerfiles at the commit that is followed. */
export const scriptsSource = { repo: 'scaleapi/SWE-bench_Pro-os', revision: 'ca10a60a5fcae51e6948ffe1485d4153d421e6c5' }

const params = { temperature: null, top_p: null, max_tokens: null, stop: null, seed: null, reasoning_effort: null }
const asked = { texts: [], files: ['test', 'scripts'], tables: [], params, epochs: 1 }

const profiles: Profile[] = [
  {
    id: 'builtin',
    title: 'An agent at a terminal without network, the history after the base hidden; our words around the official statement',
    ...asked,
  },
  { id: 'gold', title: 'No model: the patch of the data set, which shows what can be resolved here', ...asked },
  { id: 'empty', title: 'No model: an empty patch, which resolves nothing', ...asked },
]

export const card = defineCard({
  name: 'swe_bench_pro',
  display_name: 'SWE-Bench Pro',
  description: 'Changes to eleven real repositories, made by an agent at a terminal and graded by the tests of the real change.',
  category: 'Coding',
  version: 1,
  fingerprint: '0e76d9dad2dc579e4724f86674def6a40c25af84669574cdcc3098936df68558',
  evidence: 'tests',
  data: {
    repo: 'ScaleAI/SWE-bench_Pro',
    revision: '7ab5114912baf22bb098818e604c02fe7ad2c11f',
    licence: 'not stated; loaded at run time and not redistributed',
    gated: false,
    files: [
      { role: 'test', path: 'data/test-00000-of-00001.parquet', sha256: null, rows: 731 },
      {
        role: 'scripts',
        path: `SWE-bench_Pro-os-${scriptsSource.revision}.zip`,
        sha256: null,
        rows: 4586,
        from: { ...scriptsSource, host: 'github' },
      },
    ],
  },
  total_items: 731,
  sample_items: 32,
  group_label: 'Repository',
  profiles,
  default_profile: 'builtin',
  default_selected: false,
  metrics: ['accuracy', 'pass_at_k', 'accuracy_without_errata', 'truncated_share', 'accuracy_worst_case', 'accuracy_best_case'],
  needs: {
    sandbox: { kinds: ['machine'], images: [], cpus: 4, memory_mb: 16384, disk_mb: 4096, network: true },
    timing_sensitive: false,
    typical_seconds: 1800,
  },
  estimate: { input_tokens: 1_000_000, output_tokens: 20_000 },
  fields: [
    { path: 'problem', label: 'Problem', as: 'markdown' },
    { path: 'instance_id', label: 'Instance', as: 'text' },
    { path: 'image', label: 'Image', as: 'text' },
    { path: 'known_trouble', label: 'Known trouble', as: 'text' },
  ],
  setup_notes:
    'Each instance has a Docker image of its own, about 3 GB unpacked: all 731 take some 2 TB unless they are removed on the way. A trial opens two machines one after the other, of 4 CPUs and 16 GB. Grading has a network, since some run scripts install packages; the agent has none.',
})
