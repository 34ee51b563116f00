import type { Profile, TextPin } from '../../contract/card.ts'
import { defineCard } from '../define-card.ts'
import { lcbSandbox } from './lcb-sandbox.ts'
import { allRows, type ProfileName, releases } from './releases.ts'

const prompts = {
  repo: 'LiveCodeBench/LiveCodeBench',
  revision: '28fef95ea8c9f7a547c8329f2cd3d32b92c1fa24',
  path: 'lcb_runner/prompts/code_generation.py',
}
const template = 'get_generic_question_template_answer'

const texts: TextPin[] = [
  {
    id: 'system',
    ...prompts,
    symbol: 'SYSTEM_MESSAGE_GENERIC',
    sha256: 'd39e6e9b11d2ac7e84a6a85ebf4cfb10489b414e74f0b52e3394eb5375bdd9ac',
  },
  {
    id: 'with_starter',
    ...prompts,
    symbol: 'FORMATTING_MESSAGE_WITH_STARTER_CODE',
    sha256: '0aa7131f428c2376cad7eeed10887dccaefc07c7947e20de1e9bf85598690bd5',
  },
  {
    id: 'without_starter',
    ...prompts,
    symbol: 'FORMATTING_WITHOUT_STARTER_CODE',
    sha256: 'b72556f2e5865749958756f20ee8e031cc9d9b4b29f8557ffa4f1eb0deb41bd5',
  },
  { id: 'empty_fence', ...prompts, symbol: template, sha256: '7c08f839dab8567c29013e304f18edc7ee2968b202e79c10fd624efec6d6e7a4' },
  { id: 'answer', ...prompts, symbol: template, sha256: 'cbfda6ea97a4ef4f020c0a70054ea43f7060421508bc61b18375a6db0050fc0b' },
]

const plain = { stop: null, seed: null, reasoning_effort: null }
/** The official temperature; its 2,000 tokens are from a time before models reasoned. */
const params = { temperature: 0.2, top_p: 0.95, max_tokens: 16384, ...plain }

const titles: Record<ProfileName, string> = {
  official: 'Official prompt, release_v6: 1,055 problems of May 2023 to April 2025',
  release_v5: 'Official prompt, release_v5: 880 problems to January 2025',
  release_v4: 'Official prompt, release_v4: 713 problems to September 2024',
  release_v3: 'Official prompt, release_v3: 612 problems to July 2024',
  release_v2: 'Official prompt, release_v2: 511 problems to May 2024',
  release_v1: 'Official prompt, release_v1: 400 problems to March 2024',
  aa: 'As Artificial Analysis reports it: contests of July to December 2024, three repeats',
  builtin: 'Our wording of the same structure, release_v6',
}

const profileOf = (id: ProfileName): Profile => ({
  id,
  title: titles[id],
  texts: id === 'builtin' ? [] : texts,
  files: ['test'],
  tables: [],
  params: id === 'aa' ? { ...params, temperature: 0, top_p: null } : params,
  epochs: id === 'aa' ? 3 : 1,
  ...(releases[id].items !== allRows && { total_items: releases[id].items }),
})

const { image: _image, network: _network, ...machine } = lcbSandbox

export const card = defineCard({
  name: 'livecodebench',
  display_name: 'LiveCodeBench',
  description: 'Problems of programming contests: the answer is a Python program, which is run against hidden tests.',
  category: 'Coding',
  version: 1,
  fingerprint: 'cab39f40f61186b6931c7e641ac015344e4cb3456311c045f567bcc081a4b1c2',
  evidence: 'tests',
  data: {
    repo: 'livecodebench/code_generation_lite',
    revision: '0fe84c3912ea0c4d4a78037083943e8f0c4dd505',
    licence: 'CC (the card names no version); statements belong to LeetCode, AtCoder and Codeforces',
    gated: false,
    files: [
      { role: 'test', path: 'test.jsonl', sha256: '2bd02b38beb48e8c46b5b9987095d999ff38cd8efc255ea5d58974317c48f63f', rows: 400 },
      { role: 'test', path: 'test2.jsonl', sha256: '095df7c5daf15f882c51a9deb84085cff1e073495a5dbcf95015a564d485f3a3', rows: 111 },
      { role: 'test', path: 'test3.jsonl', sha256: '28ed26cc83363ce3f1fe2d5fad9f8393077beb1907b167a31bd3b32f80801b79', rows: 101 },
      { role: 'test', path: 'test4.jsonl', sha256: 'd711138ddaebfcf5f8ec6a4283ee677298c0f5c5d374a235af92aaf0584510da', rows: 101 },
      { role: 'test', path: 'test5.jsonl', sha256: '7f77571c2a6df0c2a72a3277650309f67e01e0008e18117e624633df53f81214', rows: 167 },
      { role: 'test', path: 'test6.jsonl', sha256: 'bb4c364f71921c4495a6ad15abe1a927350b720009f4933e2e71f8af0f6fd1f5', rows: 175 },
    ],
  },
  total_items: allRows,
  sample_items: 36,
  group_label: 'Difficulty',
  profiles: (Object.keys(titles) as ProfileName[]).map(profileOf), // the keys of the record above
  default_profile: 'official',
  default_selected: false,
  metrics: [
    'accuracy',
    'pass_at_k',
    'accuracy_without_errata',
    'unparsed_share',
    'truncated_share',
    'accuracy_worst_case',
    'accuracy_best_case',
  ],
  needs: {
    sandbox: { ...machine, kinds: ['bwrap', 'docker', 'sandy'], images: [] },
    timing_sensitive: false,
    typical_seconds: 90,
  },
  estimate: { input_tokens: 700, output_tokens: 3000 },
  fields: [
    { path: 'question', label: 'Problem', as: 'markdown' },
    { path: 'starter_code', label: 'Starter code', as: 'code' },
    { path: 'platform', label: 'Platform', as: 'text' },
    { path: 'contest_date', label: 'Contest', as: 'text' },
  ],
  setup_notes:
    'The release files are 4.5 GB, which are downloaded and indexed once. Programs run in a sandbox with Python 3.10 or later; numpy should be there, as some programs import it.',
})
