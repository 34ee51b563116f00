import type { TableName } from '#shared/contract/card.ts'
import type { ParityAnswer } from './parity-answer.ts'

/** How the checkers lie in a package; `oracle.py` knows each. */
export type Layout = 'lm_eval' | 'ifbench' | 'evalscope'

/** A package that holds a benchmark's checkers, what pip is asked for, and in which checks it is known not to follow upstream. */
export type OfficialPackage = { title: string; layout: Layout; pip: string[]; deviations: Readonly<Record<string, string>> }

export type Benchmark = {
  /** Tried in this order; the first that can be installed is used. */
  packages: OfficialPackage[]
  /** What the checkers import, besides the package itself, which is installed without its dependencies. */
  libraries: string[]
  tables: TableName[]
  /** Whether upstream decides it by chance, so that there is nothing to compare. */
  byChance(answer: ParityAnswer): boolean
}

const ifbenchCommit = 'db69a6f05689830b0068b8f1529ebcfd2f3b164c'

/** Read from the source of the copy beside the official one; sentences are split as upstream by `oracle.py`. */
const evalscopeDeviations = {
  'count:keywords_multiple': 'counts whole words, not substrings',
  'count:pronouns': 'knows 31 personal pronouns and splits at whitespace',
  'ratio:overlap': 'compares trigrams of words, not of characters',
  'ratio:sentence_words': 'also wants all words to differ',
  'sentence:keyword': 'finds the keyword inside other words too',
  'words:keywords_specific_position': 'compares the keyword with its letter case',
  'words:words_position': 'does not count tokens of punctuation',
  'format:quote_unquote': 'takes curly quotes for straight ones',
  'format:title_case': 'lets words of one letter pass',
  'custom:sentence_alphabet': 'skips punctuation before the first letter',
  'repeat:repeat_span': 'takes the indices for those of words',
} as const

export const benchmarks = {
  ifeval: {
    packages: [{ title: 'lm_eval 0.4.13, lm_eval/tasks/ifeval', layout: 'lm_eval', pip: ['lm_eval==0.4.13'], deviations: {} }],
    libraries: ['nltk==3.9.2', 'langdetect==1.0.9', 'immutabledict', 'packaging'],
    tables: ['punkt_english', 'langdetect_profiles'],
    // A sign that is no letter is replaced by a letter drawn at random (keys 1122 and 1129).
    byChance: ({ kwargs }) => typeof kwargs.letter === 'string' && !/^[a-z]$/i.test(kwargs.letter),
  },
  ifbench: {
    packages: [
      { title: 'ifbench 0.2.0', layout: 'ifbench', pip: ['ifbench==0.2.0'], deviations: {} },
      {
        title: `allenai/IFBench at ${ifbenchCommit}`,
        layout: 'ifbench',
        pip: [`https://github.com/allenai/IFBench/archive/${ifbenchCommit}.zip`],
        deviations: {},
      },
      {
        title: 'evalscope 1.14.1, its copy in evalscope/benchmarks/ifbench, with upstream’s sentence splitter',
        layout: 'evalscope',
        pip: ['evalscope==1.14.1'],
        deviations: evalscopeDeviations,
      },
    ],
    libraries: ['nltk==3.9.2', 'langdetect==1.0.9', 'emoji==2.15.0', 'syllapy==0.7.2', 'immutabledict'],
    tables: ['punkt_english', 'stopwords_english', 'perceptron_tagger_english', 'syllapy_dictionary'],
    byChance: () => false,
  },
} as const satisfies Record<string, Benchmark>

export type BenchmarkName = keyof typeof benchmarks
