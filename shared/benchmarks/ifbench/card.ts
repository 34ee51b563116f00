import type { Profile } from '../../contract/card.ts'
import { defineCard } from '../define-card.ts'

/** The prompt is the item, so there is no official text to read, and both profiles ask the same. */
const asked = {
  texts: [],
  files: ['test'],
  tables: ['punkt_english', 'stopwords_english', 'perceptron_tagger_english', 'syllapy_dictionary'],
  params: { temperature: 0, top_p: null, max_tokens: 16384, stop: null, seed: null, reasoning_effort: null },
  epochs: 1,
} satisfies Omit<Profile, 'id' | 'title'>

export const card = defineCard({
  name: 'ifbench',
  display_name: 'IFBench',
  description:
    'Prompts with one or two unusual constraints that a program can check: counts, ratios, positions of words, formats, repetition.',
  category: 'Instruction following',
  version: 1,
  fingerprint: 'bad652fc0c5e2279b7ec2b500f7d98810005f6bbb37058ca517c26c6574c0672',
  evidence: 'completion',
  data: {
    repo: 'allenai/IFBench_test',
    revision: '2e8a48de45ff3bf41242f927254ca81b59ca3ae2',
    licence: 'ODC-BY-1.0',
    gated: false,
    files: [{ role: 'test', path: 'data/train-00000-of-00001.parquet', sha256: null, rows: 300 }],
  },
  total_items: 300,
  sample_items: 46,
  group_label: 'Family',
  group_items: { format: 78, words: 72, count: 52, mixed: 35, ratio: 28, sentence: 15, custom: 11, repeat: 9 },
  profiles: [
    { id: 'official', title: 'The prompt alone, greedy, scored loosely as the authors publish it', ...asked },
    { id: 'builtin', title: 'The same as official', ...asked },
  ],
  default_profile: 'official',
  default_selected: true,
  metrics: ['prompt_loose', 'prompt_strict', 'inst_loose', 'inst_strict', 'truncated_share', 'accuracy_worst_case', 'accuracy_best_case'],
  estimate: { input_tokens: 160, output_tokens: 700 },
  fields: [{ path: 'detail.checks', label: 'Constraints', as: 'checks' }],
  setup_notes: 'Sentences, words, tags and syllables are told apart with tables of NLTK and syllapy, which are fetched once and kept.',
})
