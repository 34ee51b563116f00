import { builtinRepo } from '../../contract/card.ts'
import { defineCard } from '../define-card.ts'
import { packed } from './packed-catalogue.ts'
import { profiles } from './profiles.ts'

/**
 * Measured with Debian 12's toolchains in a fresh sandbox: Node and Go need less than half of this memory, g++ with its temporary files some 300 MB. Files count
 * as memory there too.
 */
export const room = { cpus: 1, memory_mb: 1024, disk_mb: 512 }

export const card = defineCard({
  name: 'code_tasks',
  display_name: 'Code tasks',
  description:
    'Small projects in six languages with something to build or to repair; the answer is one unified diff, hidden programs test it.',
  category: 'Code',
  version: 1,
  fingerprint: '3db2bc592763f7a7a004c806509065e59d9019dec564629daecc1214a894e748',
  evidence: 'tests',
  data: {
    repo: builtinRepo,
    revision: packed.sha256.slice(0, 40),
    licence: 'the same as this program',
    gated: false,
    files: [{ role: 'test', path: 'catalogue.jsonl', sha256: packed.sha256, rows: packed.rows }],
  },
  total_items: packed.rows,
  sample_items: packed.rows,
  group_label: 'Language',
  group_items: packed.groups,
  profiles,
  default_profile: profiles[0]!.id,
  default_selected: false,
  metrics: [
    'accuracy',
    'pass_at_k',
    'accuracy_easy',
    'accuracy_medium',
    'accuracy_expert',
    'unparsed_share',
    'truncated_share',
    'accuracy_worst_case',
    'accuracy_best_case',
  ],
  needs: {
    sandbox: { kinds: ['bwrap', 'docker', 'sandy'], ...room, images: [], network: true },
    timing_sensitive: false,
    typical_seconds: 60,
  },
  estimate: { input_tokens: 2000, output_tokens: 3000 },
  fields: [
    { path: 'task_id', label: 'Task', as: 'text' },
    { path: 'type', label: 'Kind', as: 'text' },
    { path: 'difficulty', label: 'Difficulty', as: 'text' },
  ],
  setup_notes:
    'The tasks are part of this program. An agent needs a sandbox and in it (in the image of fleet/images/programs, or on its machine) python3, nodejs, golang-go, rustc and g++: a trial whose toolchain is missing says so and is not scored. The two tasks in HTML are tested in Chromium where the sandbox has one that starts, else by Node in a small document; both observe the same, and the evidence names which it was.',
})
