import type { Profile, TextPin } from '../../contract/card.ts'
import { defineCard } from '../define-card.ts'

const source = { repo: 'scicode-bench/SciCode', revision: '588b4069d73d211434790bdf4f5a3b80c7830912' }
const text = (id: string, file: string, sha256: string): TextPin => ({ id, ...source, path: `eval/data/${file}`, symbol: file, sha256 })

const given = [
  text('given_13_6', '13.6.txt', '795a2b57c2d9bb12ca4eaf16d6b8e1f202015a89a886628858abf42a1b18a94e'),
  text('given_62_1', '62.1.txt', 'bc9931d88a7d5950091b72a996a25b8be6c936fd136b01005e22c3d45b0008a2'),
  text('given_76_3', '76.3.txt', '4758300d96ea726cdc0fbf749f1bc437030d2a3e8b43bde232ecdeaf636cd367'),
]

const asked = { files: ['test', 'targets'], tables: [] }
const params = { temperature: 0, top_p: null, max_tokens: null, stop: null, seed: null, reasoning_effort: null }

const profiles: Profile[] = [
  {
    id: 'official',
    title: 'Official prompt without background, given steps as the official code extracts them, 1,800 s a script',
    texts: [
      text('no_background', 'background_comment_template.txt', '9b407bdd44937f13cf090b5ae35436b7dc60a0fb8494caec6995c9c83cdadb03'),
      ...given,
    ],
    ...asked,
    params,
    epochs: 1,
  },
  {
    id: 'aa',
    title: 'Artificial Analysis: official prompt with background, given steps whole, 300 s a script, three repeats',
    texts: [
      text('with_background', 'multistep_template.txt', '2c6946acf50f69d37647b83c04e77e6bdc5f3ff04e87d4aa6f79d0f27b5dcbc2'),
      ...given,
    ],
    ...asked,
    params: { ...params, max_tokens: 16_384 },
    epochs: 3,
  },
  {
    id: 'builtin',
    title: 'Our own words with background; the model writes given steps too, uncounted; 300 s a script',
    texts: [],
    ...asked,
    params: { ...params, max_tokens: 16_384 },
    epochs: 1,
  },
]

export const card = defineCard({
  name: 'scicode',
  display_name: 'SciCode',
  description:
    'Research problems of the natural sciences as programs, written function by function, each run against numeric results of experts.',
  category: 'Code',
  version: 1,
  fingerprint: 'ba44faafbbce1b4c3d3a6a82612deaf9d5ddaab5a18956bd082368b4f95025b9',
  evidence: 'tests',
  data: {
    repo: 'SciCode1/SciCode',
    revision: '4510f6a6aa27c43fad7b43da2c59602a86e88480',
    licence: 'Apache-2.0',
    gated: false,
    files: [
      { role: 'test', path: 'problems_test.jsonl', sha256: null, rows: 65 },
      {
        role: 'targets',
        path: 'test_data.h5',
        sha256: '48b0272a88b17dbd29777c217e1b4fb2b019b92e11cc2add847409db9541b890',
        rows: 338,
        from: { repo: 'Srimadh/Scicode-test-data-h5', revision: '72c247d3a8410921b2e848e046d71ed63d9a0ddb' },
      },
    ],
  },
  total_items: 65,
  sample_items: 32,
  group_label: null,
  profiles,
  default_profile: 'official',
  default_selected: false,
  metrics: ['accuracy', 'steps_passed', 'early_exit_share', 'truncated_share', 'accuracy_worst_case', 'accuracy_best_case'],
  needs: {
    sandbox: { kinds: ['bwrap', 'docker', 'sandy'], images: [], cpus: 1, memory_mb: 8192, disk_mb: 2048 },
    timing_sensitive: false,
    typical_seconds: 300,
  },
  estimate: { input_tokens: 9000, output_tokens: 4000 },
  fields: [
    { path: 'problem', label: 'Problem', as: 'text' },
    { path: 'dependencies', label: 'Imports', as: 'code' },
  ],
  setup_notes:
    'Each problem is asked in several calls, one a step, and its programs run in a sandbox of 8 GiB with NumPy before 2, SciPy before 1.14, SymPy, Matplotlib and h5py: Debian 12’s packages, or the image of fleet/images/scicode. The targets are one file of 1 GB, which takes as much again on disk when it is opened. A whole run needs about 290 calls.',
})
