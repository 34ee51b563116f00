import type { Profile, TextPin } from '../../contract/card.ts'
import { defineCard } from '../define-card.ts'

const script = {
  repo: 'TIGER-AI-Lab/MMLU-Pro',
  revision: 'f418b116db00b065c2aea046518d8fcf74d39872',
  path: 'evaluate_from_api.py',
}

const texts: TextPin[] = [
  { id: 'intro', ...script, symbol: 'single_request', sha256: '342e5b5a2d869e83d55ea00c81ea0b264baa675617891eef535bbf964dc38816' },
  { id: 'question_head', ...script, symbol: 'format_example', sha256: '6a8e37da49a50393dca0a40c9f7afc2de3215d76d2903c96b4080efcf4e46c6c' },
  { id: 'cot_opener', ...script, symbol: 'format_example', sha256: 'c93f8475e1d8436774c22375c04c67bee94091b90c8f00a031f953857d595661' },
]

const plain = { stop: null, seed: null, reasoning_effort: null }

const profiles: Profile[] = [
  {
    id: 'official',
    title: 'Official API script: 5-shot, first answer counts',
    texts,
    files: ['test', 'validation'],
    tables: [],
    params: { temperature: 0, top_p: 1, max_tokens: 4000, ...plain },
    epochs: 1,
  },
  {
    id: 'official_last',
    title: 'Official apiX script: 5-shot, last answer counts',
    texts,
    files: ['test', 'validation'],
    tables: [],
    params: { temperature: 0.1, top_p: 0.95, max_tokens: 32768, ...plain },
    epochs: 1,
  },
  {
    id: 'builtin',
    title: 'Our wording of the same structure, read as the API script reads',
    texts: [],
    files: ['test'],
    tables: [],
    params: { temperature: 0, top_p: 1, max_tokens: 4000, ...plain },
    epochs: 1,
  },
]

export const card = defineCard({
  name: 'mmlu_pro',
  display_name: 'MMLU-Pro',
  description: 'Questions of fourteen fields with up to ten choices, answered after reasoning step by step.',
  category: 'Knowledge',
  version: 3,
  fingerprint: '95800f881a7b28bf2c896be635ca22d2b1556e9100e0e8ea551ad177a0996bc3',
  evidence: 'completion',
  data: {
    repo: 'TIGER-Lab/MMLU-Pro',
    revision: 'b189ec765aa7ed75c8acfea42df31fdae71f97be',
    licence: 'MIT',
    gated: false,
    files: [
      { role: 'test', path: 'data/test-00000-of-00001.parquet', sha256: null, rows: 12032 },
      { role: 'validation', path: 'data/validation-00000-of-00001.parquet', sha256: null, rows: 70 },
    ],
  },
  total_items: 12032,
  sample_items: 210,
  group_label: 'Category',
  group_items: {
    math: 1351,
    physics: 1299,
    chemistry: 1132,
    law: 1101,
    engineering: 969,
    other: 924,
    economics: 844,
    health: 818,
    psychology: 798,
    business: 789,
    biology: 717,
    philosophy: 499,
    'computer science': 410,
    history: 381,
  },
  profiles,
  default_profile: 'official',
  default_selected: true,
  metrics: [
    'accuracy',
    'accuracy_with_random_credit',
    'level_1_share',
    'unparsed_share',
    'truncated_share',
    'accuracy_worst_case',
    'accuracy_best_case',
  ],
  estimate: { input_tokens: 1100, output_tokens: 450 },
  fields: [
    { path: 'question', label: 'Question', as: 'text' },
    { path: 'options', label: 'Options', as: 'choices' },
  ],
  setup_notes: null,
})
