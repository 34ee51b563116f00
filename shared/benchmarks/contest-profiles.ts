import type { Profile } from '../contract/card.ts'

const plain = { stop: null, seed: null, reasoning_effort: null }

/** Profiles of the contest benchmarks (reference 4.2 and 4.3); all ask every problem ten times with the same settings. */
export const contestProfiles: Profile[] = [
  {
    id: 'official',
    title: 'MathArena: boxed answer, one follow-up when the box is missing',
    texts: [
      {
        id: 'instruction',
        repo: 'eth-sri/matharena',
        revision: 'e92766038a80eee227589f5ea688004240bca8e0',
        path: 'configs/competitions/aime/aime_2025.yaml',
        symbol: 'instruction',
        sha256: 'e723fc169d1b511e756886f8cfc81e720846d779000fa763fe2af2edb26b6a8e',
      },
      {
        id: 'follow_up',
        repo: 'eth-sri/matharena',
        revision: '95e72c550726329e3af71f97377d986c85b58205',
        path: 'src/matharena/runner.py',
        symbol: '_build_last_chance_prompt',
        sha256: 'b4ee4abe5b00aab6b6a7dc2c104978d221fe3dd2d14758ce18fa6c17c027ec39',
      },
    ],
    files: ['test'],
    tables: [],
    params: { temperature: 0.6, top_p: null, max_tokens: 32768, ...plain },
    epochs: 10,
  },
  {
    id: 'aa',
    title: 'Artificial Analysis: boxed answer, compared as a number',
    texts: [
      {
        id: 'template',
        repo: 'modelscope/evalscope',
        revision: '00d0365b7668d09aa56c7a264423d1f774202bc0',
        path: 'evalscope/benchmarks/aime/aime25_adapter.py',
        symbol: 'PROMPT_TEMPLATE',
        sha256: 'a1c06f489a5d5556ccb94b8cd5c00ff3ad13c1134f7a3a69bcf7c29a24706659',
      },
    ],
    files: ['test'],
    tables: [],
    params: { temperature: 0.6, top_p: 0.95, max_tokens: 32768, ...plain },
    epochs: 10,
  },
  {
    id: 'builtin',
    title: "Our wording of MathArena's structure",
    texts: [],
    files: ['test'],
    tables: [],
    params: { temperature: 0.6, top_p: null, max_tokens: 32768, ...plain },
    epochs: 10,
  },
]
