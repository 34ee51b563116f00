import type { Profile, TextPin } from '../contract/card.ts'

const official = { repo: 'centerforaisafety/hle', revision: '87c92ead95bdd49d0598a3e16e926932bb0d12cc' }

const texts: TextPin[] = [
  {
    id: 'system',
    ...official,
    path: 'hle_eval/run_model_predictions.py',
    symbol: 'SYSTEM_PROMPT',
    sha256: '40f399fe8c277e2cb98ad8ca663461141d1abbf01a18da3c4129eccc706b4326',
  },
  {
    id: 'judge',
    ...official,
    path: 'hle_eval/run_judge_results.py',
    symbol: 'JUDGE_PROMPT',
    sha256: '0f0023ee579b8c134f1834ed8952778b9e01460e31d47c242ee3629da9d44835',
  },
]

const unset = { temperature: null, top_p: null, max_tokens: null, stop: null, seed: null, reasoning_effort: null }
const plain = { files: ['test'], tables: [], params: unset, epochs: 1 }
const estimate = { input_tokens: 900, output_tokens: 250 }

/** The judge of the official script: no temperature is sent, and a verdict may take 4,096 tokens. */
const officialJudge = { model: 'o3-mini-2025-01-31', provider: null, params: { ...unset, max_tokens: 4096 }, estimate }

/** How Humanity's Last Exam is asked and judged, with pictures and without. */
export const examProfiles: Profile[] = [
  {
    id: 'official',
    title: 'Official prompt and judge, verdict in a strict schema',
    texts,
    ...plain,
    roles: { judge: { ...officialJudge, schema: true } },
  },
  {
    id: 'official_plain_judge',
    title: 'Official wording for a judge without structured output: the schema stands in a system message',
    texts,
    ...plain,
    roles: { judge: { ...officialJudge, schema: false } },
  },
  {
    id: 'builtin',
    title: 'Our wording of the same structure, judged by an open model',
    texts: [],
    ...plain,
    roles: {
      judge: {
        model: 'Qwen/Qwen3-235B-A22B-Instruct-2507',
        provider: null,
        params: { ...unset, temperature: 0, max_tokens: 4096 },
        schema: false,
        estimate,
      },
    },
  },
]

/** The one file of the exam. The authors ask not to publish it; its canary column is not read. */
export const examData = {
  repo: 'cais/hle',
  revision: '5a81a4c7271a2a2a312b9a690f0c2fde837e4c29',
  licence: 'MIT',
  gated: true,
  files: [
    {
      role: 'test',
      path: 'data/test-00000-of-00001.parquet',
      sha256: '6d0ee0602e8aea6b159509577e884f48ecac7b8e3f6822a35f51335a446c726a',
      rows: 2500,
    },
  ],
}

/** What the exam is summed up in; the first is the official headline, with Wilson's interval of the same share beside it. */
export const examMetrics = [
  'exam_accuracy',
  'accuracy_worst_case',
  'accuracy',
  'calibration_error',
  'calibration_error_all_bins',
  'accuracy_exact_match',
  'accuracy_multiple_choice',
]

export const examSetup =
  'The data set is gated: accept its terms on the hub and set HF_TOKEN. Its authors ask never to publish items. The profile official is judged by o3-mini-2025-01-31; scores by another judge cannot be put beside published ones.'
