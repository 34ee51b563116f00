import type { Card } from '../contract/card.ts'
import type { CreateRun } from '../contract/create-run.ts'
import { nearestName } from '../nearest-name.ts'
import { RunRefused } from './run-refused.ts'

/** Names the predecessor took for benchmarks that now have another. */
const aliases: Record<string, string> = { if_bench: 'ifbench', 'if-bench': 'ifbench', tau_bench_telecom: 'tau2_bench_telecom' }

/** The name of a benchmark as its card has it, from a text that may have capitals, spaces around it, or a former name. */
export function benchmarkName(text: string): string {
  const name = text.trim().toLowerCase()
  return aliases[name] ?? name
}

/** What of a request says which benchmarks it asks. */
export type Selecting = Pick<CreateRun, 'selected_benchmarks' | 'benchmark_names' | 'suite' | 'items'>

/** The benchmarks that a request names, each once and in its order. Throws `RunRefused` for one that there is none of. */
export function selectCards({ selected_benchmarks, benchmark_names, suite, items }: Selecting, cards: readonly Card[]): Card[] {
  if (selected_benchmarks?.length && benchmark_names?.length)
    throw invalid('/benchmark_names', 'benchmark_names is the former name of selected_benchmarks: send one of them.')
  const chosen = Object.keys(items ?? {}).map(benchmarkName)
  const wanted = selected_benchmarks ?? benchmark_names ?? (suite ? [] : chosen)
  if (suite) {
    if (wanted.length > 0) throw invalid('/suite', 'Name benchmarks or a suite, not both.')
    return withChosen(defaultCards(cards), chosen)
  }
  if (wanted.length === 0) throw invalid('/selected_benchmarks', 'Name at least one benchmark, or a suite ("suite": "default").')
  const found = Array.from(new Set(wanted.map(benchmarkName)), (name) => {
    const card = cards.find((one) => one.name === name)
    if (card) return card
    const known = cards.map((one) => one.name)
    const near = nearestName(name, known)
    const message = `There is no benchmark ${JSON.stringify(name)}. ${near ? `Did you mean ${near}?` : `Known are: ${known.join(', ')}.`}`
    throw new RunRefused('unknown-benchmark', '/selected_benchmarks', message, `unknown: ${name}`)
  })
  return withChosen(found, chosen)
}

/** The same benchmarks, where items are chosen of no other. */
function withChosen(cards: Card[], chosen: readonly string[]): Card[] {
  const stray = chosen.find((name) => !cards.some((card) => card.name === name))
  if (stray === undefined) return cards
  throw invalid(
    `/items/${stray}`,
    `Items of ${JSON.stringify(stray)} are chosen, and the run does not ask it: select it, or leave its items out.`,
  )
}

function defaultCards(cards: readonly Card[]): Card[] {
  const chosen = cards.filter((card) => card.default_selected)
  if (chosen.length === 0) throw invalid('/suite', 'No benchmark is selected by default here: name at least one.')
  return chosen
}

const invalid = (pointer: string, message: string) => new RunRefused('validation', pointer, message)
