import type { DemoTurn } from '../benchmarks/task.ts'
import type { Item } from '../contract/item.ts'
import type { CodeCases } from './code-cases.ts'
import { HiddenPart, toolsOf } from './hidden-part.ts'
import { ScoredFacts } from './score/scored-facts.ts'
import { packZeros, writePng } from './write-png.ts'

type Asked = Pick<Item, 'metadata' | 'target' | 'messages'>

/** What the demo knows of an item besides its facts: the hidden part, written as text. */
export const demoSolution = (hidden: HiddenPart): string => JSON.stringify(hidden)
const readSolution = (solution: string | undefined): HiddenPart => HiddenPart.parse(solution === undefined ? {} : JSON.parse(solution))

/** What a model would answer to an item in the end, with what is looked for in it, or nothing of it. */
export function demoAnswer({ metadata, target }: Pick<Asked, 'metadata' | 'target'>, right: boolean, solution?: string): string {
  const facts = ScoredFacts.parse(metadata)
  // Where length or letters are scored, what is wrong is to be as short as can be.
  if (!right) return facts.benchmark === 'janus_streaming' || facts.benchmark === 'janus_cost' ? 'No.' : 'No, I do not know.'
  const { cases } = readSolution(solution)
  if (cases) return programFor(cases)
  if (facts.subtype === 'image_generation' || facts.expected_behavior === 'generate_image') return pictureFor(facts)
  if (facts.benchmark === 'janus_streaming') return wordsFor(3 * (facts.evaluation?.min_tokens ?? 1))
  const looked = lookedFor(facts)
  const found = looked.length === 0 ? target : looked.join(', ')
  const text = facts.benchmark === 'janus_cost' ? found : `Having looked at this from all sides, I found: ${found}`
  const sources = facts.expected?.requires_citations ? ' Sources: https://facts.example.org/one and https://facts.example.org/two' : ''
  const missing = (facts.expected?.min_length ?? 0) - text.length
  return `${text}${sources}${missing > 0 ? `. ${wordsFor(Math.ceil(missing / 3))}` : ''}`
}

/** The calls of one who answers rightly, made before the answer: those an item wants, else those its simulator has something to say to. */
export function demoCalls(item: Asked, solution?: string): DemoTurn['calls'] {
  const facts = ScoredFacts.parse(item.metadata)
  const hidden = readSolution(solution)
  const { expected_call: wanted } = facts
  if (wanted) return [{ name: wanted.function, arguments: JSON.stringify(wanted.arguments) }]
  if (facts.benchmark === 'janus_cost') return [] // it is better without
  const offered = toolsOf(item.metadata.available_tools, hidden)
  const first = facts.expected_tools?.slice(0, 1) ?? hidden.simulated.slice(0, 1).map(({ tool }) => tool)
  const names = facts.expected_sequence ?? (facts.subtype === 'code_execution' ? ['code_execute'] : first)
  return names
    .filter((name) => offered.some((tool) => tool.name === name))
    .map((name) => ({ name, arguments: JSON.stringify(argumentsFor(name, item, hidden, facts)) }))
}

/** Arguments that the simulator answers; what is computed is what the answer must hold. */
function argumentsFor(name: string, { messages }: Asked, hidden: HiddenPart, { expected_output_contains = [] }: ScoredFacts): object {
  const question = messages.at(-1)!.content
  if (name === 'calculator') return { expression: expected_output_contains.find((text) => /^\d+(?:\.\d+)?$/.test(text)) ?? '1' }
  if (name === 'code_execute') return { language: 'python', code: `print(${JSON.stringify(expected_output_contains.join(' '))})` }
  const answered = hidden.simulated.find(({ tool }) => tool === name)?.match ?? {}
  return { ...(name === 'fetch_url' ? { url: 'https://facts.example.org/' } : { query: question }), ...answered }
}

function lookedFor(facts: ScoredFacts): string[] {
  const { evaluation = {}, expected } = facts
  return [
    facts.expected_answer ?? [],
    facts.expected_facts ?? [],
    facts.expected_output_contains ?? [],
    facts.expected_keywords ?? [],
    evaluation.expected_topics ?? [],
    evaluation.required_aspects ?? [],
    evaluation.required_elements ?? [],
    evaluation.required_concepts ?? [],
    evaluation.expected_elements ?? [],
    evaluation.expected ?? [],
    evaluation.required ?? [],
    evaluation.quality_criteria ?? [],
    evaluation.expected_answer_contains ?? [],
    expected?.contains ?? [],
    expected?.must_cover ?? [],
    facts.expected_behavior === undefined ? [] : (evaluation.indicators?.[facts.expected_behavior] ?? []),
  ].flat()
}

const sentence = 'Every part of this answer is made up and says nothing about the matter at all.'.split(' ')

/** So many words. */
const wordsFor = (count: number): string => Array.from({ length: count }, (_, index) => sentence[index % sentence.length]).join(' ')

/** A program that gives what its cases expect and knows nothing else. */
function programFor({ function_name, test_cases }: CodeCases): string {
  const lines = test_cases.map(
    ({ input, output }) => `    if list(given) == ${pythonLiteral(input)}:\n        return ${pythonLiteral(output)}`,
  )
  return ['```python', `def ${function_name}(*given):`, ...lines, '    return None', '```'].join('\n')
}

function pythonLiteral(value: CodeCases['test_cases'][0]['output']): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, one]) => `${JSON.stringify(name)}: ${pythonLiteral(one)}`)
    .join(', ')}}`
}

const inks: Readonly<Record<string, readonly [number, number, number]>> = {
  red: [214, 32, 32],
  orange: [245, 130, 16],
  yellow: [250, 214, 20],
  green: [24, 150, 60],
  blue: [28, 84, 220],
  purple: [128, 48, 170],
  black: [16, 16, 16],
  white: [255, 255, 255],
  grey: [128, 128, 128],
}

/** A picture of one colour, of the size and form that an item asks for. */
function pictureFor({ evaluation = {} }: ScoredFacts): string {
  const side = evaluation.min_side_px ?? 64
  const width = evaluation.aspect === 'wide' ? 2 * side : side
  const height = evaluation.aspect === 'tall' ? 2 * side : side
  const palette = [inks[evaluation.dominant_color ?? 'grey'] ?? inks.grey!]
  const bytes = writePng({ width, height, palette, pixels: new Uint8Array(width * height) }, packZeros)
  return `![A picture](data:image/png;base64,${btoa(String.fromCharCode(...bytes))})`
}
