import type { TestEnd, TestResult } from '../../contract/evidence/tests.ts'
import { mostExcerpt } from '../../contract/evidence/tests.ts'
import type { ExecResult } from '../../solvers/sandbox.ts'

/** What a probe printed of one case: values as they were written, in order. */
export type Observations = ReadonlyMap<string, readonly string[]>

/** What a probe printed: lines `@@ <case> <JSON>`. Every other line is somebody else's. */
export function observationsIn(stdout: string): Observations {
  const found = new Map<string, string[]>()
  for (const line of stdout.split('\n')) {
    const [, name, value] = /^@@ (\S+) (.*)$/s.exec(line) ?? []
    if (name === undefined || value === undefined) continue
    const said = found.get(name)
    if (said) said.push(value.trim())
    else found.set(name, [value.trim()])
  }
  return found
}

/** How a probe ended, and what it said last. */
export type ProbeEnd = { end: Exclude<ExecResult['end'], 'unavailable'>; exit_code: number | null; stderr: string }

/**
 * What became of each case of a probe: its value is compared here, outside of the sandbox, as JSON. A case that the probe did not print has the
 * limit that ended the probe, or is an error.
 */
export function caseResults(probe: string, expected: Readonly<Record<string, unknown>>, seen: Observations, ended: ProbeEnd): TestResult[] {
  return Object.entries(expected).map(([name, wanted]) => {
    const base = { name: `${probe}/${name}`.slice(0, 300), expected: excerpt(JSON.stringify(wanted)), took_ms: null }
    const said = seen.get(name)
    if (!said) return { ...base, ...unseen(ended) }
    const got = excerpt(said.at(-1)!)
    const values = said.map(parsed)
    if (values.some((value) => value === undefined)) return { ...base, end: 'failed', got, message: 'What was printed is no JSON.' }
    if (values.some((value) => !sameJson(value, values[0])))
      return { ...base, end: 'failed', got, message: 'The case was printed more than once, with different values.' }
    return { ...base, end: sameJson(values[0], wanted) ? 'passed' : 'failed', got }
  })
}

function unseen({ end, exit_code, stderr }: ProbeEnd): { end: TestEnd; message: string } {
  const last = stderr.trim().slice(-1500)
  const said = last === '' ? '' : `\n${last}`
  if (end === 'exited') return { end: 'error', message: `The probe ended with exit code ${exit_code} and did not print it.${said}` }
  return { end, message: `The probe ended as ${end} before it printed it.${said}` }
}

const excerpt = (text: string): string => (text.length > mostExcerpt ? `${text.slice(0, mostExcerpt - 1)}…` : text)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether two JSON values are the same: numbers as numbers, objects whatever the order of their names. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [names, others] = [Object.keys(a), Object.keys(b)]
  const [left, right] = [a, b] as Record<string, unknown>[] // objects and arrays alike have values by name
  return names.length === others.length && names.every((name) => Object.hasOwn(right!, name) && sameJson(left![name], right![name]))
}
