import type { Profile, TextPin } from '../../contract/card.ts'
import { questionNeeds } from '../../contract/resources.ts'
import { defineCard } from '../define-card.ts'

/** The data set has no code; its card's three texts stand in this file word for word (see the README). */
const source = { repo: 'scitix/sieval', revision: '8a357e5ebc003a499e5f8ab495c988066d9addc5', path: 'sieval/community/aa_lcr.py' }

const texts: TextPin[] = [
  { id: 'document', ...source, symbol: 'DOCUMENT_TEMPLATE', sha256: '177577f8a563895a12e31b5a1aa65c3cfc27bf6a8f26cf7fe070312e97afd9bd' },
  { id: 'prompt', ...source, symbol: 'PROMPT_TEMPLATE', sha256: '9a7153b9a88a057cca701001e88ee410a81453396a990a91e93a5368319fda98' },
  { id: 'judge', ...source, symbol: 'GRADER_TEMPLATE', sha256: '6a1e71d02dee03cf65afc617e0aa76e8252eeeeb1c5316e72078eb1be10d90bf' },
]

const plain = { top_p: null, stop: null, seed: null, reasoning_effort: null }

const asked = {
  files: ['test', 'documents'],
  tables: [],
  params: { temperature: 0, max_tokens: 16384, ...plain },
  epochs: 3,
  roles: {
    judge: {
      model: 'Qwen/Qwen3-235B-A22B-Instruct-2507',
      provider: null,
      params: { temperature: 0, max_tokens: 1024, ...plain },
      schema: false,
      estimate: { input_tokens: 500, output_tokens: 5 },
    },
  },
}

const profiles: Profile[] = [
  { id: 'official', title: 'Prompt and equality checker of the data set’s card, three repeats', texts, ...asked },
  { id: 'builtin', title: 'Our wording of the same structure, three repeats', texts: [], ...asked },
]

export const card = defineCard({
  name: 'aa_lcr',
  display_name: 'AA-LCR',
  description: 'Questions whose answers have to be worked out from several long documents at once, about 100,000 tokens a question.',
  category: 'Long context',
  version: 2,
  fingerprint: '95b50482ca2fc57a30246f8558d23e41cbef8ea8dfb8c236bfe162a4b21fde84',
  evidence: 'judged',
  data: {
    repo: 'ArtificialAnalysis/AA-LCR',
    revision: 'bdae010bbce259820c0e34c1d7cce210d966fb75',
    licence: 'Apache-2.0 (questions); the documents are public material',
    gated: false,
    files: [
      { role: 'test', path: 'AA-LCR_Dataset.csv', sha256: '2f90d9c30cfb4dd8df2c0f46547c384065e4c76917bd347a9a97bf797235c1ea', rows: 100 },
      {
        role: 'documents',
        path: 'extracted_text/AA-LCR_extracted-text.zip',
        sha256: '5e839249826f6b9bd5324f0d139089c9dc481ccb3f212a6dfad00c51045d9d8a',
        rows: 230,
      },
    ],
  },
  total_items: 100,
  sample_items: 32,
  group_label: 'Kind of documents',
  profiles,
  default_profile: 'official',
  default_selected: false,
  metrics: ['avg_at_k', 'unparsed_share', 'truncated_share', 'accuracy_worst_case', 'accuracy_best_case'],
  min_context: 128_000,
  needs: { ...questionNeeds, typical_seconds: 60 },
  estimate: { input_tokens: 100_000, output_tokens: 1200 },
  fields: [
    { path: 'question', label: 'Question', as: 'text' },
    { path: 'documents', label: 'Documents', as: 'documents' },
    { path: 'evidence.judge.replies', label: 'Verdict', as: 'verdict' },
  ],
  setup_notes:
    'Every question fills about 100,000 tokens: a run of 100 questions with three repeats reads about 30 million. Scores depend on the judge, which is named with every result.',
})
