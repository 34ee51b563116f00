import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commands, findEntry } from '#fleet/cli/commands.ts'
import { createProgram } from '#fleet/cli/create-program.ts'
import { readTree } from '../architecture/source-tree.ts'
import { isForTests } from '../architecture/tables.ts'
import { commandsInComments, commandsOf, commandsOfPage, examplesOf, readGuides, type ShownCommand } from './collect-commands.ts'
import { quietIo } from './judge-bench.ts'
import { judgeCommand, judgeOptions } from './judge-command.ts'
import { readDocument } from './read-document.ts'
import { readShell } from './read-shell.ts'

const tree = await readTree(join(import.meta.dirname, '..', '..'))
const guides = readGuides(tree)

async function problemsOf(shown: readonly ShownCommand[]): Promise<string[]> {
  const problems: string[] = []
  for (const { path, line, words, mention } of shown) {
    const problem = await judgeCommand(words, { tree, mention }).catch((error: Error) => error.message)
    if (problem !== null) problems.push(`${path}:${line} ${words.join(' ')}: ${problem}`)
  }
  return problems
}

test('[DOC510] every command of the documents is read by the parser of its program', async () => {
  const shown = guides.flatMap(commandsOf)
  expect(shown.length).toBeGreaterThan(200)
  expect(await problemsOf(shown)).toEqual([])
})

test('[DOC510] every command in comments of deployment files and on pages is read by its parser', async () => {
  const files = [...tree].filter(([path]) => /^(docs\/.*|fleet\.(compose|bubblewrap)\.yml|wrangler\.toml|schemathesis\.toml)$/.test(path))
  const pages = [...tree].filter(([path]) => /^web\/src\/.*\.tsx$/.test(path) && !isForTests(path))
  const shown = [
    ...files.filter(([path]) => /\.(ya?ml|toml|sh)$/.test(path)).flatMap(([path, text]) => commandsInComments(path, text)),
    ...pages.flatMap(([path, text]) => commandsOfPage(path, text)),
  ]
  expect(shown.length).toBeGreaterThan(3)
  expect(await problemsOf(shown)).toEqual([])
})

test('[DOC510] options that a document names alone are taken by a command', async () => {
  const problems: string[] = []
  for (const { path, spans } of guides.filter((guide) => /^(README|DEPLOY|SECURITY|fleet\/package\/README)\.md$/.test(guide.path)))
    for (const { text, line } of spans) {
      const [words] = /^--?[a-z]/.test(text) ? readShell(text).map((command) => command.words) : []
      const problem = words && !foreignOptions.has(words[0]!) ? await judgeOptions(words) : null
      if (problem !== null) problems.push(`${path}:${line} ${text}: ${problem}`)
    }
  expect(problems).toEqual([])
})

/** Options of other programs, which the sentence around them names. */
const foreignOptions = new Set(['--build-arg', '--secrets-file', '--reasoning-config', '--mount', '--chmod', '--scale'])

test('[DOC514] the examples of every help text are read by the parser', async () => {
  const shown: ShownCommand[] = []
  for (const name of Object.keys(commands)) {
    const io = quietIo()
    await (await createProgram([name, '--help'], io, () => undefined)).parseAsync([name, '--help'], { from: 'user' }).catch(() => undefined)
    const examples = examplesOf(name, io.lines.join('\n'))
    expect(examples.length, name).toBeGreaterThan(0)
    shown.push(...examples)
  }
  expect(await problemsOf(shown)).toEqual([])
})

test('[DOC514] a command of bench that the program names in its texts is there', () => {
  const code = [...tree].filter(
    ([path]) => /^(fleet|edge|web|shared|db)\/.*\.tsx?$/.test(path) && !isForTests(path) && !path.endsWith('.test.ts'),
  )
  const lost = code.flatMap(([path, text]) =>
    [...text.matchAll(/[`"'“>]bench ([a-z][a-z-]+)/g)].flatMap(({ 1: name = '' }) =>
      findEntry(name) || ['completion', 'complete', 'help'].includes(name) ? [] : `${path} bench ${name}`,
    ),
  )
  expect(lost).toEqual([])
})

const planted = [
  '`bench tokens create`',
  '`bench run -m a -b mmlu_pro --frob`',
  '`bench run -m a -b no_such_benchmark`',
  '```sh\nbench run -m a\n```',
  '```sh\nbench run -m a -b mmlu_pro --limit 0\n```',
  '```sh\nnpm run cli -- export\n```',
  '`npm run nothing`',
  '`npm start -- --frish`',
  '`npm run prove -- nothing`',
  '`npm run prove -- sim --frob`',
  '`npm run bench -- nothing`',
  '`npm run parity -- nothing`',
  '`npm run unit -- --project nothing`',
  '`node prove/nothing.ts`',
  '```sh\ndocker compose -f fleet.compose.yml up --scale agents=3\n```',
  '```sh\ndocker compose -f compose.yml up\n```',
  '```sh\nterraform apply\n```',
  '```sh\necho "$(terraform apply)"\n```',
  '`npx wrangler publish`',
]
test.each(planted)('[DOC516] a false command is found: %s', async (text) => {
  expect(await problemsOf(commandsOf(readDocument('README.md', text)))).toHaveLength(1)
})

test('[DOC516] a block without a language is refused, and one that is never closed', () => {
  expect(() => commandsOf(readDocument('README.md', '```\nnpm start\n```'))).toThrow('needs a language')
  expect(() => readDocument('README.md', 'a\n```sh\nnpm start')).toThrow('README.md:2')
})
