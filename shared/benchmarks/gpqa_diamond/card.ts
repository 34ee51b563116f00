import type { Profile } from '../../contract/card.ts'
import { defineCard } from '../define-card.ts'

const baselines = {
  repo: 'idavidrein/gpqa',
  revision: '56686c06f5e19865c153de0fdb11be3890014df7',
  path: 'baselines/utils.py',
}

const plain = { stop: null, seed: null, reasoning_effort: null }

const profiles: Profile[] = [
  {
    id: 'official',
    title: 'simple-evals: zero-shot with reasoning, ten shuffled repeats',
    texts: [
      {
        id: 'template',
        repo: 'openai/simple-evals',
        revision: 'ee3b0318d8d1d9d72755a4120879be65f7c07e9e',
        path: 'common.py',
        symbol: 'QUERY_TEMPLATE_MULTICHOICE',
        sha256: 'd4d85337bbd54659d12c8da7edc8b854d151b7327cf7574dc1062d753b03c8a6',
      },
    ],
    files: ['test'],
    tables: [],
    params: { temperature: 0.5, top_p: null, max_tokens: 2048, ...plain },
    epochs: 10,
  },
  {
    id: 'gpqa_official',
    title: 'Baselines of the paper: zero-shot, one pass',
    texts: [
      { id: 'question', ...baselines, symbol: 'base_prompt', sha256: '191ddcec0ba936f40d193d913affa8aeda64b8499290f6a36c5a59b628de44bf' },
      { id: 'choices', ...baselines, symbol: 'base_prompt', sha256: 'f304e6232bce560c1c8201b6e9e635ce344e001fbe85e45ddb1f1b715e59356f' },
      {
        id: 'format',
        ...baselines,
        symbol: 'zero_shot_prompt',
        sha256: '82506445c60f60263b8121a14a7f3b41d456ea1f49841b3ae990464c73255355',
      },
      {
        id: 'system',
        ...baselines,
        symbol: 'select_and_call_model',
        sha256: 'ed357b89df4407e7a8ac6ca25c50eb481dc2b57b21b59d0934c78533323bf80a',
      },
    ],
    files: ['test'],
    tables: [],
    params: { temperature: 0, top_p: null, max_tokens: 1000, ...plain },
    epochs: 1,
  },
  {
    id: 'aa',
    title: 'Artificial Analysis: zero-shot, five repeats, nine answer patterns',
    texts: [
      {
        id: 'prompt',
        repo: 'xinyu-dev/NeMo-Skills',
        revision: '8a5382c30d19bf928f2a072f27cb0e2f1bcc1667',
        path: 'nemo_skills/prompt/config/eval/aai/mcq-4choices.yaml',
        symbol: 'user',
        sha256: 'a23650ece383bd79f76f66671dc57a0520c816b0a6765d2e680f52cbb197f503',
      },
    ],
    files: ['test'],
    tables: [],
    params: { temperature: 0, top_p: null, max_tokens: 16384, ...plain },
    epochs: 5,
  },
  {
    id: 'builtin',
    title: 'Our wording of the structure of simple-evals',
    texts: [],
    files: ['test'],
    tables: [],
    params: { temperature: 0.5, top_p: null, max_tokens: 2048, ...plain },
    epochs: 4,
  },
]

export const card = defineCard({
  name: 'gpqa_diamond',
  display_name: 'GPQA Diamond',
  description: 'Physics, chemistry and biology questions of graduate level with four choices, written to withstand a web search.',
  category: 'Science',
  version: 3,
  fingerprint: 'c6706c43eb8504af4d861c765e0a6ea0185cbd73a49ea182b104b6c76fd54711',
  evidence: 'completion',
  data: {
    repo: 'Idavidrein/gpqa',
    revision: '633f5ee89ab8ad4522a9f850766b73f62147ffdd',
    licence: 'CC-BY-4.0',
    gated: true,
    files: [{ role: 'test', path: 'gpqa_diamond.csv', sha256: null, rows: 198 }],
  },
  total_items: 198,
  sample_items: 42,
  group_label: 'Domain',
  group_items: { Physics: 86, Chemistry: 93, Biology: 19 },
  profiles,
  default_profile: 'official',
  default_selected: true,
  metrics: ['accuracy', 'pass_at_k', 'unparsed_share', 'truncated_share', 'accuracy_worst_case', 'accuracy_best_case'],
  estimate: { input_tokens: 250, output_tokens: 900 },
  fields: [
    { path: 'question', label: 'Question', as: 'text' },
    { path: 'options', label: 'Options as shown', as: 'choices' },
    { path: 'subdomain', label: 'Subdomain', as: 'text' },
  ],
  setup_notes: 'The data set is gated: accept its terms on the hub and set HF_TOKEN. Its authors ask never to publish items in plain text.',
})
