import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'

const Trial = z.object({ source_id: z.string(), epoch: z.int(), outcome: z.string(), score: z.number().nullable() })

/** The value of a trial by `task epoch`; null where it failed. */
export type Values = ReadonlyMap<string, number | null>

/** Reads the trials of the local run in a folder of runs. */
export function readValues(runs: string): Values {
  const found = new Map<string, number | null>()
  for (const name of readdirSync(runs, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('records.jsonl')))
    for (const line of readFileSync(join(runs, name), 'utf8').split('\n').filter(Boolean)) {
      const { source_id, epoch, outcome, score } = Trial.parse(JSON.parse(line))
      found.set(`${source_id} ${epoch}`, outcome === 'failed' ? null : score)
    }
  return found
}

/** How many references (epoch 0) came to 1 and how many cheats (epoch 1) to 0, and which did not. A trial without a value is never as it should be. */
export function verdictsOf(tasks: readonly string[], values: Values): { passed: number; refused: number; wrong: string[] } {
  const of = (epoch: number, want: number): string[] => tasks.filter((task) => values.get(`${task} ${epoch}`) !== want)
  const told = (what: string, epoch: number) => (task: string) => `${task}: ${what} came to ${values.get(`${task} ${epoch}`) ?? 'no value'}`
  const [failed, cheated] = [of(0, 1), of(1, 0)]
  return {
    passed: tasks.length - failed.length,
    refused: tasks.length - cheated.length,
    wrong: [...failed.map(told('the reference', 0)), ...cheated.map(told('the cheat', 1))],
  }
}
