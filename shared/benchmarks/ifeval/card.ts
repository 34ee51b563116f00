import type { Profile } from '../../contract/card.ts'
import { defineCard } from '../define-card.ts'

/** The prompt is the item, so there is no official text to read, and both profiles ask the same. */
const asked = {
  texts: [],
  files: ['test'],
  tables: ['punkt_english', 'langdetect_profiles'],
  params: { temperature: 0, top_p: null, max_tokens: 8192, stop: null, seed: null, reasoning_effort: null },
  epochs: 1,
} satisfies Omit<Profile, 'id' | 'title'>

export const card = defineCard({
  name: 'ifeval',
  display_name: 'IFEval',
  description: 'Prompts with one to three instructions each that a program can check: lengths, formats, words, letter case, language.',
  category: 'Instruction following',
  version: 1,
  fingerprint: '0bff53651cd83d23e69eb8f8c6631e7dc3cc0e8f68552929042cd1fffb1d9315',
  evidence: 'completion',
  data: {
    repo: 'google/IFEval',
    revision: '966cd89545d6b6acfd7638bc708b98261ca58e84',
    licence: 'Apache-2.0',
    gated: false,
    files: [{ role: 'test', path: 'ifeval_input_data.jsonl', sha256: null, rows: 541 }],
  },
  total_items: 541,
  sample_items: 42,
  group_label: 'Constraints',
  profiles: [
    { id: 'official', title: 'The prompt alone, greedy, as lm-evaluation-harness asks it', ...asked },
    { id: 'builtin', title: 'The same as official', ...asked },
  ],
  default_profile: 'official',
  default_selected: true,
  metrics: ['prompt_strict', 'inst_strict', 'prompt_loose', 'inst_loose', 'truncated_share', 'accuracy_worst_case', 'accuracy_best_case'],
  estimate: { input_tokens: 60, output_tokens: 500 },
  fields: [
    { path: 'detail.checks', label: 'Constraints', as: 'checks' },
    { path: 'fault', label: 'Known fault of the item', as: 'text' },
  ],
  setup_notes: 'Sentences, words and languages are told apart with tables of NLTK and langdetect, which are fetched once and kept.',
})
