import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { matharenaInteger } from '#shared/scorers/boxed-integer.ts'
import { type ContestAnswer, contestAnswers } from './answers-contest.ts'
import { CannotCompare, createEnvironment } from './python-environment.ts'

/** What MathArena's parser says of an answer: whether it read a box, and whether the answer is right; or what it raised. */
export type ContestVerdict = { read: boolean; right: boolean } | { raised: string }
export type ContestTally = { compared: number; raised: number; rightHere: number; disagreements: ContestAnswer[] }

/** The versions whose parser the README of the benchmark names. */
const libraries = ['sympy==1.13.3', 'antlr4-python3-runtime==4.11', 'regex', 'loguru']

/** Our readings beside official verdicts of the same answers. Where upstream raises there is no verdict; ours must not be right then. */
export function tallyContest(answers: readonly ContestAnswer[], verdicts: readonly ContestVerdict[]): ContestTally {
  const tally: ContestTally = { compared: 0, raised: 0, rightHere: 0, disagreements: [] }
  for (const [index, answer] of answers.entries()) {
    const { value, from } = matharenaInteger(answer.text)
    const ours = { right: value === answer.gold, read: from === 'box' || from === 'unparsed-box' }
    const theirs = verdicts[index]
    if (!theirs) throw new CannotCompare(`there are ${verdicts.length} verdicts for ${answers.length} answers`)
    if (ours.right) tally.rightHere++
    if ('raised' in theirs) tally.raised++
    else tally.compared++
    const agree = 'raised' in theirs ? !ours.right : theirs.right === ours.right && theirs.read === ours.read
    if (!agree) tally.disagreements.push(answer)
  }
  return tally
}

/** Compares generated answers with the parser in `source`, a folder that holds the package matharena, and returns the number of disagreements. */
export async function compareContest(source: string | undefined, seed: number, count: number): Promise<number> {
  if (!source) throw new CannotCompare('aime needs --source FOLDER: a folder that holds the Python package matharena')
  const folder = await mkdtemp(join(tmpdir(), 'bench-parity-'))
  try {
    const environment = createEnvironment(join(folder, 'venv'))
    const installed = environment.install(...libraries)
    if (!installed.ok) throw new CannotCompare(`pip could not install ${libraries.join(' ')}: ${installed.detail}`)
    const answers = contestAnswers(seed, count)
    const [input, output] = [join(folder, 'answers.jsonl'), join(folder, 'verdicts.jsonl')]
    await writeFile(input, answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''))
    const script = join(import.meta.dirname, 'contest-oracle.py')
    const done = spawnSync(environment.python, ['-W', 'ignore', script, resolve(source), input, output], { encoding: 'utf8' })
    if (done.status !== 0) throw new CannotCompare(`the parser could not be run: ${done.stderr.trim().split('\n').at(-1)}`)
    const lines = (await readFile(output, 'utf8')).trim().split('\n')
    const { compared, raised, rightHere, disagreements } = tallyContest(
      answers,
      lines.map((line): ContestVerdict => JSON.parse(line)),
    )
    console.log(`aime against ${source}: ${count} answers, seed ${seed}; ${compared} verdicts, ${raised} raised, ${rightHere} right here`)
    for (const answer of disagreements.slice(0, 20)) console.log(`  ${JSON.stringify(answer)}`)
    console.log(`disagreements: ${disagreements.length}`)
    return disagreements.length
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
