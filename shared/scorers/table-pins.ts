import type { TableName } from '../contract/card.ts'

/** An archive that holds a table. `members`: its path in the archive by file name of the table; `*` stands for all files of a folder. */
export type TableSource = {
  sha256: string
  archive: 'zip' | 'tar.gz'
  members: Readonly<Record<string, string>>
  /** The member `tagger.pickle` becomes the three JSON files of the table. */
  form?: 'tagger-pickle'
} & ({ url: string } | { repo: string; revision: string; path: string })

/** Where a table comes from, in the order in which the sources are tried. `files`: SHA-256 of what they all hold, by file name. */
export type TablePin = { sources: readonly [TableSource, ...TableSource[]]; files: Readonly<Record<string, string>> }

const nltkData = { repo: 'nltk/nltk_data', revision: '550b6625bcef1f2abff2ff770a5a0d272c9c6b2a', archive: 'zip' } as const
const packages = 'https://files.pythonhosted.org/packages'
const llamaIndex = {
  url: `${packages}/8c/20/60be179aaba858981edbe18eab106ff485967a9d3b198f8c58496cad9e32/llama_index_core-0.14.25-py3-none-any.whl`,
  sha256: 'caa7d9c5ac9b13dc33400cf8d5e92e689b6d1e4497eb9bfa50d6f52ca2eb22a1',
  archive: 'zip',
} as const

function punkt(folder: string) {
  return Object.fromEntries(
    ['abbrev_types.txt', 'collocations.tab', 'ortho_context.tab', 'sent_starters.txt'].map((name) => [name, `${folder}/english/${name}`]),
  )
}

/**
 * The tables of the packages that IFBench locks (NLTK 3.9.2 with its data, langdetect 1.0.9, syllapy 0.7.2): the repository of the data first,
 * then a released package that carries the same bytes.
 */
export const tablePins: Readonly<Record<TableName, TablePin>> = {
  punkt_english: {
    sources: [
      {
        ...nltkData,
        path: 'packages/tokenizers/punkt_tab.zip',
        sha256: 'e57f64187974277726a3417ca6f181ec5403676c717672eef6a748a7b20e0106',
        members: punkt('punkt_tab'),
      },
      { ...llamaIndex, members: punkt('llama_index/core/_static/nltk_cache/tokenizers/punkt_tab') },
    ],
    files: {
      'abbrev_types.txt': '92a3e070f43d9b4c5534758ca40ad7343b04e7e29bfe0c2eb658a39445a4f779',
      'collocations.tab': '8e2da1225e4dd2cc9dba261ee231ccb134859e21b46006e7f472c5ee269af0cf',
      'ortho_context.tab': '4bbcca25ed3d3f06c02402abf8419b9f033b8adc06e7b482eca4e45f81a5dc4c',
      'sent_starters.txt': 'f3f8535483e1dba487241b764945168123bca3209a9645e59acd1225dc76edac',
    },
  },
  stopwords_english: {
    sources: [
      {
        ...nltkData,
        path: 'packages/corpora/stopwords.zip',
        sha256: '48c0e52d8b52546e827f53761fb30300c0ab94f70660d28bd65ba0a86270946b',
        members: { english: 'stopwords/english' },
      },
      { ...llamaIndex, members: { english: 'llama_index/core/_static/nltk_cache/corpora/stopwords/english' } },
    ],
    files: { english: 'f6d005956f407dbc6ea32e5ff0c7e8e6f71488d3239b9023efdc7fc139d6375b' },
  },
  perceptron_tagger_english: {
    sources: [
      {
        ...nltkData,
        path: 'packages/taggers/averaged_perceptron_tagger_eng.zip',
        sha256: '6025f530624335c67d6547d44757b357b4e79bae030a0383e9887a92c1718f0b',
        members: Object.fromEntries(
          ['weights.json', 'tagdict.json', 'classes.json'].map((name) => [
            name,
            `averaged_perceptron_tagger_eng/averaged_perceptron_tagger_eng.${name}`,
          ]),
        ),
      },
      {
        url: `${packages}/0a/9c/444bc309386910f9f767d99093465384d7655027aabde2c04bddaac90962/langchain_chatchat-0.3.1.3-py3-none-any.whl`,
        sha256: '12a797d157b9ea26684cad9aa4acf136f977e750fa7ea2191d6c6d73f2fddae9',
        archive: 'zip',
        members: { 'tagger.pickle': 'chatchat/data/nltk_data/taggers/averaged_perceptron_tagger/averaged_perceptron_tagger.pickle' },
        form: 'tagger-pickle',
      },
    ],
    // the order within classes.json is arbitrary, so it has no hash
    files: {
      'weights.json': '789e8e35f6fac656d9b7eccea29ba4e8a137cbb5b525dd31f39e4291a9e80832',
      'tagdict.json': '4c713731cb06727736962bc8cd94ad919217a040e76691059af99bc0c2c9c246',
    },
  },
  langdetect_profiles: {
    sources: [
      {
        url: `${packages}/0e/72/a3add0e4eec4eb9e2569554f7c70f4a3c27712f40e3284d483e88094cc0e/langdetect-1.0.9.tar.gz`,
        sha256: 'cbc1fef89f8d062739774bd51eda3da3274006b3661d199c2655f6b3f6d605a0',
        archive: 'tar.gz',
        members: {
          '*': 'langdetect-1.0.9/langdetect/profiles/',
          'messages.properties': 'langdetect-1.0.9/langdetect/utils/messages.properties',
        },
      },
    ],
    files: {},
  },
  syllapy_dictionary: {
    sources: [
      {
        url: `${packages}/0e/cc/ffc9bddc146f14e8792a9b05b2bd1bc5f23f3b752a06e96b244780ce55b9/syllapy-0.7.2-py3-none-any.whl`,
        sha256: '198a7413033c32d7b31e21962efb3f284bcea80d3346e954b938ca1ebe6bee20',
        archive: 'zip',
        members: { 'data.csv': 'syllapy/data.csv' },
      },
    ],
    files: { 'data.csv': '15dbc605f4b03690ccf4fbfe14f634b52efcea866c21310664253fadb718bc0d' },
  },
}
