import type { FileTimes } from './tally.ts'

export type TimedStep = { name: string; files: readonly FileTimes[] }

const kinds = ['import', 'transform', 'setup', 'environment', 'worker'] as const
const startUpMs = (times: FileTimes): number => kinds.reduce((sum, kind) => sum + times[kind], 0)
const seconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(7)

/** Tables for `npm test -- --times`: the start-up that each step paid, by kind, and the slowest files of all steps. */
export function timesTables(steps: readonly TimedStep[], slowest = 40): string {
  const tested = steps.filter(({ files }) => files.length > 0)
  const head = `${['tests', ...kinds].map((kind) => (kind === 'environment' ? 'environ' : kind).padStart(10)).join('')}  files  step`
  const rows = tested.map(({ name, files }) => {
    const sums = (['tests', ...kinds] as const).map((kind) => files.reduce((sum, times) => sum + times[kind], 0))
    return `${sums.map((ms) => seconds(ms).padStart(10)).join('')}  ${String(files.length).padStart(5)}  ${name}`
  })
  const all = tested.flatMap(({ name, files }) => files.map((times) => ({ name, times, ms: times.tests + startUpMs(times) })))
  const files = all
    .sort((a, b) => b.ms - a.ms)
    .slice(0, slowest)
    .map(({ name, times, ms }) => `${seconds(ms)}  ${seconds(times.tests)}  ${seconds(startUpMs(times))}  ${times.file} (${name})`)
  return [
    'seconds by step, summed over its files',
    head,
    ...rows,
    '',
    `slowest ${files.length} files: seconds, in tests, start-up`,
    ...files,
  ].join('\n')
}
