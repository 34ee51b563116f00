import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sha256Hex } from '#sha256'
import { scriptedKit } from '../solvers/testing/scripted-kit.ts'
import { type CardName, cards } from './cards.ts'
import { givenCode, givenSteps } from './scicode/given-code.ts'
import { tasks } from './tasks.ts'
import { openLists } from './testing/open-lists.ts'

/** A JSON file with the official texts, outside the repository: benchmark name → pin id → text. */
const path = process.env.BENCH_OFFICIAL_TEXTS
if (!path) console.warn('skipped: BENCH_OFFICIAL_TEXTS names no file with the official texts')
const texts: Record<string, Record<string, string>> = path ? JSON.parse(readFileSync(path, 'utf8')) : {}

const particle = (correct: string, ...wrong: string[]) => ({
  'Record ID': 'particle',
  Question: 'Which particle has charge -1?',
  'Correct Answer': correct,
  'Incorrect Answer 1': wrong[0],
  'Incorrect Answer 2': wrong[1],
  'Incorrect Answer 3': wrong[2],
  'High-level domain': 'Physics',
  Subdomain: 'Particles',
})
const biology = { answer: 'B', answer_index: 1, category: 'biology', src: 'reference' }
const spider = {
  ...biology,
  question_id: 1,
  question: 'How many legs does a spider have?',
  options: ['6', '8', '10', 'N/A'],
  cot_content: '',
}
const gas = {
  ...biology,
  question_id: 2,
  question: 'Which gas do green plants take in for photosynthesis?',
  options: ['Oxygen', 'Carbon dioxide', 'Helium'],
  cot_content: `A: ${texts.mmlu_pro?.cot_opener} Plants fix carbon from air. The answer is (B).`,
}
const exam = {
  id: 'sum',
  question: 'What is 2+2?',
  image: '',
  answer: '4',
  answer_type: 'exactMatch',
  raw_subject: 'Arithmetic',
  category: 'Math',
}
const lcr = {
  document_category: 'Company_Documents',
  document_set_id: 'reference',
  question_id: 1,
  question: 'Who earned more?',
  answer: 'Beta',
  data_source_filenames: 'alpha.txt;beta.txt',
}
const documents = ['Alpha earned 5.', 'Beta earned 7.'].map((text) => ({
  name: `lcr/Company_Documents/reference/${text.split(' ')[0]!.toLowerCase()}.txt`,
  text,
}))
const doubling = {
  problem_id: '900',
  problem_name: 'doubling',
  required_dependencies: 'import numpy as np\n\nfrom scipy.integrate import quad',
  sub_steps: [
    {
      step_number: '900.1',
      step_description_prompt: 'Write a function that doubles x.',
      step_background: 'Background: doubling means 2*x.',
      function_header: "def double(x):\n    '''Double x.\n    Input: x float\n    Output: y float\n    '''",
      return_line: '    return y',
      test_cases: [],
    },
    {
      step_number: '900.2',
      step_description_prompt: 'Write a function that quadruples x using the previous function.',
      step_background: 'Background: 4x = 2(2x).',
      function_header: "def quad4(x):\n    '''Quadruple x.'''",
      return_line: '    return z',
      test_cases: [],
    },
  ],
}
const doublingRows = { test: [doubling], targets: [{ name: '900.1', root: { type: 'group', members: [] }, data: '' }] }
const sum = { problem_idx: 1, problem: 'Compute 1+1.', answer: 2, problem_type: [] }
const contest = (question_content: string, starter_code = '') => ({
  ...{
    question_title: '',
    question_content,
    platform: 'atcoder',
    question_id: 'q',
    contest_id: '',
    contest_date: '2024-01-01',
    starter_code,
  },
  ...{ difficulty: 'easy', public_test_cases: '[]', private_test_cases: '[]', metadata: '{}' },
})
const twice = 'You are given an integer N on standard input.\nPrint twice N.\n'
const starter = 'class Solution:\n    def twice(self, n: int) -> int:\n        '

/**
 * Invented items and the hashes of their official renderings, from the references (1.2, 2.2, 2.3, 2.4, 4.2, 7.2; code 1.3). The options of the first row
 * are permuted by [3,1,0,2] (simple-evals) and to [I3,I1,I2,C] (baselines), so the records are arranged to show the order of the reference.
 */
const renderings = [
  ['mmlu_pro', 'official', { test: [spider], validation: [gas] }, 'c6bbe2de55f57faed62b703f3b71b5cd60f8a3306b32d7af4cc82269a112b2dd'],
  [
    'gpqa_diamond',
    'official',
    { test: [particle('Neutron', 'Electron', 'Photon', 'Proton')] },
    'd5d381a179d101136a2e62c40ec31c2eeb30292cc3b35a4c9b07c59bb152d338',
  ],
  [
    'gpqa_diamond',
    'gpqa_official',
    { test: [particle('Electron', 'Proton', 'Neutron', 'Photon')] },
    '8983c523f30b8af73612b2dd8fe25a50a521b8ac391ee2f3a77b080cacfc5cb7',
  ],
  [
    'gpqa_diamond',
    'aa',
    { test: [particle('Neutron', 'Electron', 'Photon', 'Proton')] },
    '6848556389c5e89e70834fff780a00e6e22d93983ee8bbfce5d466f7d3b221ed',
  ],
  ['aime_2025', 'official', { test: [sum] }, '331e558bbf69bcb3978f0266002de455379cb7151c6cc507967f646bd3084bef'],
  ['aime_2025', 'aa', { test: [sum] }, '6937bf2d15b0e39be3dc32037265a54d7458510d718e4af1aeac6de526312d2a'],
  ['aa_lcr', 'official', { test: [lcr], documents }, '300e2d4c6f462988fe8263ddb385a7140ab29ae38c702778f821ec4bc74015b8'],
  ['livecodebench', 'official', { test: [contest(twice)] }, '6b0a489afcc8ff56a71687a69c01bb8c9b8a9c34101aedd9414c7175b91ecbb2'],
  ['livecodebench', 'official', { test: [contest(twice, starter)] }, 'cc53397334a1cc39f469b0e0f6b029a198f8d9c8c3bfb168b36e750c5422e14d'],
] as const

/** The prompts of both steps of an invented SciCode problem, by profile (2.2 of the reference on code). */
const stepPrompts = [
  [
    'official',
    [
      'ccb896c0baa2630b195fd176d5e978c067355512fe1d292acc3d5c949c86ed5c',
      'be879bd8ba00349119c4451f3b4ea06db3d57e7f45fb03a383cd8776f1a40746',
    ],
  ],
  [
    'aa',
    [
      '346eefadd40eddcafe9aa550e665e7d650887175d65e6e99a305783f65ff7d63',
      'd8aaa8870991fedc3a6f101aa3f86f3e43d0d3c0cdf10e24f23be8b4df49dd60',
    ],
  ],
] as const

/** What judges are asked about answers to such items (3.3, 7.4). */
const judgings = [
  [
    'hle',
    { test: [exam] },
    'Explanation: sum\nAnswer: 4\nConfidence: 90%',
    '43ea47d6d233953b70862da4211d0397716bac2c69f400c48115509e2c5c8fdc',
  ],
  ['aa_lcr', { test: [lcr], documents }, 'Beta earned more.', 'e12eb17d78de31ba81d7a00a4e38612799c4de5d8573592fe0aa546c7654196c'],
] as const

test.skipIf(!path).each(renderings)(
  '[SCORE16] %s, profile %s, renders as the official code does',
  async (name: CardName, id, rows, hash) => {
    const task = await tasks[name]()
    const profile = task.card.profiles.find((found) => found.id === id)!
    const item = await (await openLists(task, { profile, texts: texts[name] ?? {}, rows })).item(0, 0)
    expect(sha256Hex(item.messages.at(-1)!.content)).toBe(hash)
  },
)

test.skipIf(!path).each(judgings)('[SCORE16] the judge of %s is asked as the official code asks it', async (name, rows, answer, hash) => {
  const task = await tasks[name]()
  const profile = task.card.profiles.find((found) => found.id === 'official')!
  const own = texts[name] ?? {}
  const kit = scriptedKit({ model: [answer], judge: [] }, { judge: { model: 'judge' } })
  await task.solver('official', own)(await (await openLists(task, { profile, texts: own, rows })).item(0, 0), kit)
  expect(kit.asked.judge[0]?.messages).toHaveLength(1)
  expect(sha256Hex(kit.asked.judge[0]!.messages[0]!.content)).toBe(hash)
})

test.skipIf(!path).each(stepPrompts)('[SCORE191] SciCode, profile %s, asks for each step as the official code does', async (id, hashes) => {
  const { scicode: official = {} } = texts
  const task = await tasks.scicode()
  const profile = task.card.profiles.find((found) => found.id === id)!
  const item = await (await openLists(task, { profile, texts: official, rows: doublingRows })).item(0, 0)
  const kit = scriptedKit({ model: ['def double(x):\n    y = 2*x\n    return y', ''] })
  await task.solver(id, official)(item, kit)
  expect(kit.asked.model.map(({ messages }) => sha256Hex(messages[0]!.content))).toEqual(hashes)
  expect(sha256Hex(item.messages[0]!.content)).toBe(hashes[0])
})

test.skipIf(!path)('[SCORE192] the official extraction of the three given steps has the hash that is pinned', () => {
  for (const step of Object.keys(givenSteps)) expect(givenCode(step, texts.scicode ?? {}, 'official-extract')?.length).toBeGreaterThan(100)
})

test.skipIf(!path)('[SCORE16] the question of Humanity’s Last Exam stands alone after the official system message', async () => {
  const task = await tasks.hle()
  const opened = await openLists(task, { profile: task.card.profiles[0]!, texts: texts.hle ?? {}, rows: { test: [exam] } })
  const item = await opened.item(0, 0)
  expect(item.messages.map(({ role, content }) => [role, role === 'system' ? sha256Hex(content) : content])).toEqual([
    ['system', '40f399fe8c277e2cb98ad8ca663461141d1abbf01a18da3c4129eccc706b4326'],
    ['user', 'What is 2+2?'],
  ])
})

test.skipIf(!path).each(cards.map((card) => [card.name, card] as const))(
  '[SCORE16] the official texts of %s have the hashes that are pinned',
  (name, card) => {
    for (const pin of card.profiles.flatMap((profile) => profile.texts))
      expect(sha256Hex(texts[name]?.[pin.id] ?? ''), pin.id).toBe(pin.sha256)
  },
)
