import { expect, test } from 'vitest'
import { loadTask } from '../harbor/load-task.ts'
import { taskFacts } from './task-facts.ts'

const esc = String.fromCharCode(27)
const reverse = String.fromCharCode(0x202e)
const fileOf = (path: string, text: string) => ({ path, mode: 0o644, bytes: new TextEncoder().encode(text) })

test('[TASK431] control characters of a task are shown as pictures, and those that turn the direction of writing by their numbers', () => {
  const loaded = loadTask('folder', [
    fileOf('task.toml', `[task]\nname = "a/b"\ndescription = "x\\u001b]0;y\\u0007 \\u202egpj.exe"\nkeywords = ["\\u2066k"]\n`),
    fileOf('instruction.md', `Do\t${esc}[2Jit${reverse}.\nNow\u009b1m\u007f`),
    fileOf('environment/Dockerfile', 'FROM scratch'),
    fileOf('tests/test.sh', 'true'),
  ])
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  const { description, instruction, keywords } = taskFacts(loaded.task, 4, 100)
  expect(instruction).toBe('Do\t\u241b[2Jit[U+202E].\nNow[U+009B]1m\u2421')
  expect(description).toBe('x\u241b]0;y\u2407 [U+202E]gpj.exe')
  expect(keywords).toEqual(['[U+2066]k'])
  // Solvers are told the text as it was written.
  expect(loaded.task.steps[0]?.instruction).toContain(esc)
})
