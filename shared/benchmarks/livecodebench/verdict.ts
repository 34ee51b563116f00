import type { TestResult } from '../../contract/evidence/tests.ts'
import { NoPythonJson, readPythonJson } from '../../scorers/python-json-value.ts'
import { compareOutput } from './compare-output.ts'
import type { Frame } from './frames.ts'
import type { HiddenTests } from './hidden-tests.ts'
import { returnedText, sameValue } from './returned-value.ts'
import type { ProgramRun } from './run-program.ts'

/** Entries of the official result list: a test that passed, a wrong value of a function, a wrong output, the time limit, an error. */
export type OfficialCode = true | false | -2 | -3 | -4

/** What a program came to: the official list, and the tests up to the first that did not pass. */
export type Verdict = { codes: OfficialCode[]; tests: TestResult[] }

/** Digits of integers that the official run reads. */
const mostDigits = 50_000
/** Longest excerpt of texts of a test: tests are hidden, so as much as the official runner tells of the one that failed. */
const excerpt = 300

/** `whole`: the official list has this one entry, whatever passed before. */
type Failed = { code: Exclude<OfficialCode, true>; end: TestResult['end']; message: string; got?: string; whole?: true }

/**
 * Reads what the runner said against what was expected, test after test up to the first that fails, as the official runner lists it (reference 1.6).
 * A process that died has the list `[-2]` and an error outside of a test `[-4]`, whatever passed before.
 */
export function verdictOf({ frames, end, exit_code }: ProgramRun, hidden: HiddenTests): Verdict {
  const tests: TestResult[] = []
  const said = frames.slice(1)
  const wanted = hidden.fn_name === null ? null : valuesOf(hidden.outputs)
  for (const [index, output] of hidden.outputs.entries()) {
    const frame = said[index]
    const failed = wanted === 'unreadable' ? unreadable : judge(frame, output, wanted?.[index])
    const took_ms = frame && 'seconds' in frame ? frame.seconds * 1000 : null
    const name = `test ${index + 1}`
    if (failed === null) {
      tests.push({ name, end: 'passed', took_ms })
      continue
    }
    const [codes, why] = failed === 'died' ? [[-2 as const], died({ end, exit_code })] : [codesOf(failed, index), failed]
    const texts = { input: cut(hidden.inputs[index]!), expected: cut(output), got: why.got === undefined ? null : cut(why.got) }
    tests.push({ name, end: why.end, ...texts, message: `${why.code === false ? 'False' : why.code}: ${cut(why.message)}`, took_ms })
    return { codes, tests }
  }
  return { codes: hidden.outputs.map(() => true), tests }
}

const unreadable: Failed = { code: -4, end: 'error', message: 'what is expected is no JSON', whole: true }

function codesOf(failed: Failed, index: number): OfficialCode[] {
  return failed.whole ? [failed.code] : [...Array.from({ length: index }, () => true as const), failed.code]
}

/** Null for a test that passed; `died` where the runner said nothing of it. */
function judge(frame: Frame | undefined, output: string, wanted: ReturnType<typeof readPythonJson> | undefined): Failed | 'died' | null {
  switch (frame?.type) {
    case 'wrote': {
      if (wanted !== undefined) return 'died'
      const compared = compareOutput(frame.output, output)
      if (compared.same) return null
      const { why, raises } = compared
      return raises
        ? { code: -4, end: 'error', message: why, got: frame.output, whole: true }
        : { code: -2, end: 'failed', message: why, got: frame.output }
    }
    case 'returned': {
      if (wanted === undefined) return 'died'
      const same = sameValue(frame.value, wanted)
      if (same) return null
      const got = returnedText(frame.value, excerpt)
      return same === null
        ? { code: -4, end: 'error', message: 'the truth of an array is not known', got }
        : { code: false, end: 'failed', message: 'it returned something else', got }
    }
    case 'error':
      return { code: frame.code, end: frame.code === -3 ? 'timeout' : 'error', message: frame.message }
    case 'broken':
      return { code: -4, end: 'error', message: frame.message, whole: true }
    case 'ready':
    case 'end':
    case undefined:
      return 'died'
  }
}

/** Why a process said nothing of its next test. */
function died({ end, exit_code }: Pick<ProgramRun, 'end' | 'exit_code'>): Failed {
  const message = end === 'exited' ? `the process ended by itself, exit code ${exit_code}` : `the process was ended: ${end}`
  return { code: -2, end: end === 'exited' || end === 'unavailable' ? 'error' : end, message }
}

function valuesOf(outputs: readonly string[]) {
  try {
    return outputs.map((output) => readPythonJson(output, mostDigits))
  } catch (error) {
    if (error instanceof NoPythonJson) return 'unreadable'
    throw error
  }
}

/** The beginning and the end of a long text. */
function cut(text: string): string {
  return text.length <= excerpt ? text : `${text.slice(0, excerpt / 2)} … ${text.slice(-excerpt / 2)}`
}
