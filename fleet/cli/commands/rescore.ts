import { existsSync } from 'node:fs'
import * as z from 'zod'
import { codeVersion } from '#fleet/program.ts'
import { Rescore, RescoreList, type RescoreSubmission } from '#shared/contract/rescore.ts'
import type { Rescored } from '#shared/run/rescore.ts'
import { type Client, createClient } from '../client.ts'
import { defineCommand, integer, names } from '../command.ts'
import { CommandError, exitCodes, UsageError } from '../io.ts'
import { type Outcome, rescoreRun } from '../rescore-run.ts'
import { openLocalRun, openServedRun } from '../rescore-sources.ts'
import { notRecomputed, rescoreText } from '../rescore-text.ts'

export const rescore = defineCommand({
  name: 'rescore',
  summary:
    'Scores an ended run again on this machine from its stored evidence, with the scorers of this version, and shows each difference.\n' +
    'RUN is a run of the service, the folder of a local run, or an exported ZIP (its signature is not looked at: bench verify does).\n' +
    'The run itself never changes. Exit code 0: every score is the same; 3: a score, answer, explanation or detail changed; 1: none changed,\n' +
    'but some could not be computed again.',
  arguments: ['RUN'],
  options: {
    benchmark: { help: 'only this benchmark; repeat it or separate with commas', value: 'NAME', short: 'b', multiple: true },
    limit: { help: 'changed trials to show of each benchmark (default 20; --json lists all)', value: 'N' },
    save: { help: 'keep the result beside the run in the service: computed there, or here where its scorers need tables' },
  },
  values: z.object({
    benchmark: names('is needed').optional(),
    limit: integer(0, 1_000_000).default(20),
    save: z.boolean().default(false),
  }),
  examples: ['bench rescore last', 'bench rescore last -b ifeval --save', 'bench rescore results/0199c0de-… --json'],
  async run({ values, positionals, json, url }, io) {
    const [named = ''] = positionals
    const local = named !== 'last' && existsSync(named)
    if (local && values.save) throw new UsageError('--save keeps a rescoring with a run of the service; this is a local one.')
    const client = createClient(io, url)
    const source = local ? await openLocalRun(named) : await openServedRun(client, named, io)
    const outcomes = await rescoreRun(source, values.benchmark ?? [], io)
    for (const line of json ? jsonLines(source.run_id, outcomes) : rescoreText(outcomes, values.limit, io.columns)) io.out(line)
    for (const one of outcomes) {
      if (!values.save || !('rescored' in one)) continue
      const kept = await save(client, source.run_id, one.rescored)
      const text = `kept: rescoring ${kept.id} of ${kept.benchmark}, computed by the ${kept.computed_by === 'edge' ? 'service' : 'client'}`
      io.out(json ? JSON.stringify({ type: 'kept', rescore: kept }) : text)
    }
    return exitCodeOf(outcomes)
  },
})

function* jsonLines(run_id: string, outcomes: readonly Outcome[]): Generator<string> {
  for (const one of outcomes) {
    if ('skipped' in one) {
      yield JSON.stringify({ type: 'skipped', run_id, benchmark: one.benchmark, message: one.skipped })
      continue
    }
    const { summary, differences, not_recomputed } = one.rescored
    yield JSON.stringify({ type: 'rescore', run_id, ...summary })
    for (const difference of differences) yield JSON.stringify({ type: 'difference', benchmark: summary.benchmark, ...difference })
    for (const missed of not_recomputed) yield JSON.stringify({ type: 'not_recomputed', benchmark: summary.benchmark, ...missed })
  }
}

/** Lets the service compute; what it cannot compute is sent as computed here, for the owner to keep. */
async function save(client: Client, run_id: string, rescored: Rescored): Promise<Rescore> {
  const { benchmark } = rescored.summary
  try {
    const { rescores } = await client.post(`/api/runs/${run_id}/rescore`, { benchmark }, RescoreList)
    if (rescores[0]) return rescores[0]
    throw new CommandError(`The service kept no rescoring of ${benchmark}.`, 'bad-answer')
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== 'rescore-elsewhere') throw error
    return client.post(`/api/runs/${run_id}/rescores`, submissionOf(rescored), Rescore)
  }
}

function submissionOf({ summary, differences, not_recomputed }: Rescored): RescoreSubmission {
  const changed = differences.map(({ ordinal, after }) => ({
    ordinal,
    after: { ...after, outcome: after.outcome as 'right' | 'wrong', score: after.score! }, // a scorer's result is never a failure
  }))
  const { benchmark, to, missing_tables } = summary
  return { benchmark, to, code_version: codeVersion(), changed, not_recomputed, missing_tables }
}

function exitCodeOf(outcomes: readonly Outcome[]): number {
  const counts = outcomes.flatMap((one) => ('rescored' in one ? [one.rescored.summary.counts] : []))
  if (counts.some(({ changed }) => changed > 0)) return exitCodes.changed
  return counts.length < outcomes.length || counts.some((one) => notRecomputed(one) > 0) ? exitCodes.error : exitCodes.ok
}
