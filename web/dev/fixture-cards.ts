import type { BenchmarkInfo } from '#shared/contract/api.ts'
import type { Card } from '#shared/contract/card.ts'
import type { Model } from '#shared/contract/model.ts'

type Seed = {
  name: string
  title: string
  text: string
  category: string
  items: number
  gated?: boolean
  groups: string[]
  official?: boolean
  on?: boolean
  epochs?: number
  tokens: [number, number]
  fields: Card['fields']
}

const choiceFields: Card['fields'] = [
  { path: 'options', label: 'Choices', as: 'choices' },
  { path: 'category', label: 'Subject', as: 'text' },
]

export const groupsOf: Record<string, string[]> = {}
const seeds: Seed[] = [
  {
    name: 'mmlu_pro',
    title: 'MMLU-Pro',
    text: 'Ten-way multiple choice over fourteen university subjects, asked with five worked examples.',
    category: 'Knowledge',
    items: 12032,
    groups: [
      'biology',
      'business',
      'chemistry',
      'computer science',
      'economics',
      'engineering',
      'health',
      'history',
      'law',
      'math',
      'other',
      'philosophy',
      'physics',
      'psychology',
    ],
    official: true,
    on: true,
    tokens: [1400, 900],
    fields: choiceFields,
  },
  {
    name: 'gpqa_diamond',
    title: 'GPQA Diamond',
    text: 'Graduate-level science questions that a search engine does not answer.',
    category: 'Knowledge',
    items: 198,
    gated: true,
    groups: ['Biology', 'Chemistry', 'Physics'],
    official: true,
    epochs: 4,
    tokens: [320, 2400],
    fields: choiceFields,
  },
  {
    name: 'ifeval',
    title: 'IFEval',
    text: 'Instructions whose following a program can check: counts, formats, words to use or avoid.',
    category: 'Instruction following',
    items: 541,
    groups: [
      'change_case',
      'combination',
      'detectable_content',
      'detectable_format',
      'keywords',
      'language',
      'length_constraints',
      'punctuation',
      'startend',
    ],
    on: true,
    tokens: [90, 480],
    fields: [{ path: 'instruction_id_list', label: 'Instructions', as: 'text' }],
  },
  {
    name: 'ifbench',
    title: 'IFBench',
    text: 'Unseen verifiable instructions, harder and more varied than those of IFEval.',
    category: 'Instruction following',
    items: 294,
    groups: ['count', 'format', 'ratio', 'repeat', 'sentence', 'words'],
    on: true,
    tokens: [140, 620],
    fields: [{ path: 'instruction_id_list', label: 'Instructions', as: 'text' }],
  },
  {
    name: 'aime_2025',
    title: 'AIME 2025',
    text: 'Thirty competition problems whose answers are integers from 0 to 999.',
    category: 'Mathematics',
    items: 30,
    groups: ['AIME I', 'AIME II'],
    epochs: 8,
    tokens: [180, 9000],
    fields: [{ path: 'answer', label: 'Answer', as: 'number' }],
  },
]

const hex = (text: string, length: number) =>
  Array.from({ length }, (_, i) => ((text.charCodeAt(i % text.length) * (i + 7)) % 16).toString(16)).join('')

function cardOf(seed: Seed): Card {
  const params = { temperature: 0, top_p: null, max_tokens: 8192, stop: null, seed: null, reasoning_effort: null }
  const builtin = {
    id: 'builtin',
    title: 'Own wording, same structure',
    texts: [],
    files: [],
    tables: [],
    params,
    epochs: seed.epochs ?? 1,
  }
  groupsOf[seed.name] = seed.groups
  return {
    name: seed.name,
    display_name: seed.title,
    description: seed.text,
    category: seed.category,
    version: 2,
    fingerprint: hex(seed.name, 64),
    evidence: 'completion',
    data: {
      repo: `example/${seed.name}`,
      revision: hex(`${seed.name}r`, 40),
      licence: 'CC-BY-4.0',
      gated: seed.gated ?? false,
      files: [{ role: 'test', path: 'test.parquet', sha256: hex(`${seed.name}f`, 64), rows: seed.items }],
    },
    total_items: seed.items,
    sample_items: 24,
    group_label: 'Category',
    profiles: seed.official
      ? [
          {
            ...builtin,
            id: 'official',
            title: 'Official wording',
            texts: [
              {
                id: 'prompt',
                repo: 'example/official',
                revision: hex('o', 40),
                path: 'prompt.txt',
                symbol: 'PROMPT',
                sha256: hex('p', 64),
              },
            ],
          },
          builtin,
        ]
      : [builtin],
    default_profile: seed.official ? 'official' : 'builtin',
    default_selected: seed.on ?? false,
    metrics: ['accuracy'],
    needs: ['llm'],
    input: ['text'],
    min_context: null,
    estimate: { input_tokens: seed.tokens[0], output_tokens: seed.tokens[1] },
    fields: seed.fields,
    setup_notes: seed.gated ? 'The data set is gated: accept its terms, then set HF_TOKEN for the agent.' : null,
  }
}

export const benchmarks: BenchmarkInfo[] = seeds.map((seed) => {
  const card = cardOf(seed)
  return {
    name: seed.name,
    display_name: seed.title,
    description: seed.text,
    category: seed.category,
    is_enabled: true,
    supports_subset: true,
    requires_setup: seed.gated ?? false,
    setup_notes: card.setup_notes,
    default_selected: card.default_selected,
    total_items: seed.items,
    avg_item_latency_ms: 1800 + seed.tokens[1],
    data_source: seed.gated ? 'sample' : 'pinned',
    card,
  }
})

const named = [
  'Qwen3-235B-A22B',
  'DeepSeek-V3.2',
  'Llama-3.3-70B-Instruct',
  'GLM-4.6',
  'Kimi-K2',
  'Mistral-Small-3.2-24B',
  'gpt-oss-120b',
  'gemma-3-27b-it',
  'Hermes-4-70B',
  'Nemotron-Super-49B',
]
export const models: Model[] = Array.from({ length: 63 }, (_, i) => {
  const name = i < named.length ? named[i]! : `${named[i % named.length]}-v${1 + Math.floor(i / named.length)}`
  return {
    id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    slug: `lab-${i % 7}/${name}`,
    name,
    provider: i % 9 === 8 ? 'openai' : 'chutes',
    tagline: i % 3 ? null : 'Open weights, long context',
    user: null,
    logo: null,
    chute_id: null,
    instance_count: (i * 7) % 12,
    is_active: i % 11 !== 10,
    price:
      i % 9 === 8
        ? null
        : {
            input_per_million_usd: 0.05 + (i % 8) * 0.07,
            output_per_million_usd: 0.2 + (i % 8) * 0.26,
            cached_input_per_million_usd: null,
          },
    context_length: 131_072,
    max_output_length: 32_768,
    input_modalities: ['text'],
    features: i % 2 ? ['reasoning'] : ['tools', 'reasoning'],
    synced_at: new Date().toISOString(),
  }
})
