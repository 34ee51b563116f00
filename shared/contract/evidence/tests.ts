import * as z from 'zod'
import { answerHead, answerSections, CompletionEvidence, shortenAnswer } from './completion.ts'
import type { Kind, Section } from './kind.ts'

/** What became of one test. `failed`: it ran and what came out is wrong; `error`: the program broke; `not-run`: an earlier one ended it all. */
export const testEnds = ['passed', 'failed', 'error', 'timeout', 'out-of-memory', 'output-limit', 'disk-full', 'denied', 'not-run'] as const
export type TestEnd = (typeof testEnds)[number]

/** Longest excerpt of what a test was given, expected, or got, in UTF-16 units. */
export const mostExcerpt = 2_000
/** Longest words of what tests ran with, in UTF-16 units. */
export const mostToolchain = 400
const Excerpt = z.string().max(mostExcerpt).nullable()

/** One test of a program. Its end alone is scored; the rest tells people why. `took_ms` is null where it was not timed alone. */
export const TestResult = z.object({
  name: z.string().max(300),
  end: z.enum(testEnds),
  input: Excerpt.optional(),
  expected: Excerpt.optional(),
  got: Excerpt.optional(),
  message: Excerpt.optional(),
  took_ms: z.number().min(0).nullable(),
})
export type TestResult = z.infer<typeof TestResult>

export const languages = ['python', 'javascript', 'go', 'rust', 'cpp', 'html', 'shell', 'text'] as const

/** What was let pass in reading a patch, where the run allows it: a block that never ended, a patch that fits only when it is read loosely. */
export const leniencies = ['incomplete-diff', 'diff-rewrite'] as const

/**
 * A program that was tested by itself: the only one of a trial, or that of one step. `program` is null where the answer held none; `patch` is
 * the change it was made by. `total` counts all its tests, those that never ran too: results end where the runner stopped.
 */
export const TestedPart = z.object({
  name: z.string().max(200),
  language: z.enum(languages),
  program: z.string().nullable(),
  patch: z.string().nullable(),
  leniencies: z.array(z.enum(leniencies)).optional(),
  /** What compilers or whoever prepared the program said; null where nothing was built. */
  build: z.object({ ok: z.boolean(), output: z.string().max(20_000) }).nullable(),
  total: z.int().min(0),
  tests: z.array(TestResult).max(10_000),
  /** Output of the test run that belongs to no test, its beginning and end. */
  output: z.string().max(20_000),
  /** What the tests ran with, as it says itself; absent where a benchmark has only one way, or nothing ran. */
  tested_with: z.string().max(mostToolchain).optional(),
  took_ms: z.number().min(0),
  /** The most memory that it took, where the sandbox told. */
  memory_mb: z.number().min(0).nullable(),
})
export type TestedPart = z.infer<typeof TestedPart>

/** An answer whose programs were run against tests in a sandbox; `text` is the last answer where there were several. */
export const TestsEvidence = CompletionEvidence.extend({ kind: z.literal('tests'), parts: z.array(TestedPart).max(200) })
export type TestsEvidence = z.infer<typeof TestsEvidence>

/** Whether all tests of a part passed; one without tests has shown nothing. */
export const partPassed = ({ total, tests }: Pick<TestedPart, 'total' | 'tests'>): boolean =>
  total > 0 && tests.filter(({ end }) => end === 'passed').length === total

/** How many tests passed, of all: `3 of 7 tests passed`, and the first that did not. */
export function partSummary({ total, tests }: TestedPart): string {
  const passed = tests.filter(({ end }) => end === 'passed').length
  const first = tests.find(({ end }) => end !== 'passed')
  return `${passed} of ${total} tests passed${first ? `; first not: ${first.name} (${first.end})` : ''}`
}

function partSections(part: TestedPart): Section[] {
  const named = (title: string): string => (part.name === '' ? title : `${part.name}: ${title.toLowerCase()}`)
  const texts: [string, string | null, boolean][] = [
    ['Program', part.program, false],
    ['Patch', part.patch, false],
    ['Build', part.build?.output ?? null, false],
    ['Tests', part.tests.map(testLines).join('\n'), true],
    ['Output', part.output, false],
  ]
  return texts.flatMap(([title, text, scored]) => (text ? [{ title: named(title), text, scored }] : []))
}

/** A test as lines of text: its name and end, then what is known besides. */
function testLines({ name, end, input, expected, got, message }: TestResult): string {
  const more = { input, expected, got, message }
  const told = Object.entries(more).flatMap(([label, text]) => (text ? [`  ${label}: ${text.replaceAll('\n', '\n    ')}`] : []))
  return [`${name}: ${end}`, ...told].join('\n')
}

/** What no scorer reads, from what is missed least to what is missed most. Each takes away up to so many units and says how many it took. */
const cuts: ((part: TestedPart, chars: number) => [TestedPart, number])[] = [
  (part, chars) => {
    const output = part.output.slice(0, Math.max(0, part.output.length - chars))
    return [{ ...part, output }, part.output.length - output.length]
  },
  (part, chars) => {
    let left = chars
    const tests = part.tests.map((test) => {
      if (left <= 0) return test
      const { name, end, took_ms, ...texts } = test
      left -= Object.values(texts).reduce((sum, text) => sum + (text?.length ?? 0), 0)
      return { name, end, took_ms }
    })
    return [{ ...part, tests }, chars - left]
  },
]

/** Reasoning gives way first, then outputs, then what tests say beside their ends. */
function shortenTests(evidence: TestsEvidence, chars: number): TestsEvidence {
  const answered = shortenAnswer(evidence, chars)
  let left = chars - ((evidence.reasoning?.length ?? 0) - (answered.reasoning?.length ?? 0))
  let parts = evidence.parts
  for (const cut of cuts) {
    parts = parts.map((part) => {
      if (left <= 0) return part
      const [shorter, taken] = cut(part, left)
      left -= taken
      return shorter
    })
  }
  return { ...answered, parts }
}

/** The beginning of the answer, and of every part what it is called and how its tests ended. */
function testsHead(evidence: TestsEvidence, chars: number): TestsEvidence {
  const head = (text: string | null): string | null => (text === null ? null : answerHead({ ...evidence, text }, chars).text)
  const parts = evidence.parts.map((part) => ({
    ...part,
    program: head(part.program),
    patch: head(part.patch),
    build: part.build && { ...part.build, output: head(part.build.output) ?? '' },
    output: head(part.output) ?? '',
  }))
  return { ...answerHead(evidence, chars), parts }
}

export const tests: Kind<TestsEvidence> = {
  schema: TestsEvidence,
  response: ({ text }) => text,
  sections: (evidence) => [...answerSections(evidence).map((one) => ({ ...one, scored: false })), ...evidence.parts.flatMap(partSections)],
  shorten: shortenTests,
  head: testsHead,
  judge_output: () => null,
}
