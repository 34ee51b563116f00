import { writeFileSync } from 'node:fs'
import * as z from 'zod'
import { cards } from '#shared/benchmarks/cards.ts'
import { analyseReport, compareReports, reportLines } from '#shared/janus/read-report.ts'
import { defineCommand, integer, number } from '../command.ts'
import { exitCodes, type Io, UsageError } from '../io.ts'
import { readReport } from '../janus-report.ts'
import { type JanusSuite, janusSuites, runJanus } from '../janus-run.ts'
import { clean } from '../terminal.ts'

const actions = ['run', 'list-suites', 'list-benchmarks', 'show', 'analyze', 'compare'] as const
const names = cards.filter(({ name }) => name.startsWith('janus_')).map(({ name }) => name)

export const janus = defineCommand({
  name: 'janus',
  summary: `The Janus suite: ${actions.join(', ')}. run asks a server without any service and writes a report; show, analyze and compare read reports. JANUS_BENCH_WEIGHT_QUALITY, _SPEED, _COST, _STREAMING and _MULTIMODAL weigh the parts of the composite.`,
  arguments: ['ACTION', '[REPORT]', '[OTHER]'],
  words: { ACTION: actions },
  options: {
    target: { help: 'address of the server (JANUS_BENCH_TARGET_URL, default http://localhost:8000)', value: 'URL', short: 't' },
    suite: { help: 'the suite of items (default public/dev)', value: 'NAME', short: 's', choices: Object.keys(janusSuites) },
    items: {
      help: 'own items for the suite private/test, as shared/janus/item.schema.json has them: a file, or a folder of files (JANUS_PRIVATE_DATASET_PATH)',
      value: 'PATH',
    },
    benchmark: { help: 'one benchmark of the suite', value: 'NAME', short: 'b', choices: names },
    model: { help: 'model (JANUS_BENCH_MODEL, default janus-baseline-agent-cli)', value: 'MODEL', short: 'm' },
    output: {
      help: 'file of the report or the analysis (default bench_results_RUN.json for run, in JANUS_BENCH_OUTPUT_DIR)',
      value: 'FILE',
      short: 'o',
    },
    subset: { help: 'percentage of the items, from 1 to 100 (JANUS_BENCH_SUBSET_PERCENT, default 100)', value: 'PCT' },
    seed: { help: 'draws another subset (JANUS_BENCH_SEED, default 42)', value: 'N' },
    timeout: { help: 'seconds for an answer (JANUS_BENCH_REQUEST_TIMEOUT, default that of each benchmark)', value: 'SECONDS' },
    'ttft-timeout': { help: 'seconds to the first token (JANUS_BENCH_TTFT_TIMEOUT)', value: 'SECONDS' },
    official: { help: 'the official formulas, one turn, one attempt; left out: the mended ones' },
    data: { help: 'folder of the run itself (default runs/)', value: 'DIR' },
  },
  values: z.object({
    target: z.string().optional(),
    suite: z.enum(Object.keys(janusSuites) as [JanusSuite, ...JanusSuite[]]).default('public/dev'), // the keys of the table
    items: z.string().optional(),
    benchmark: z.string().optional(),
    model: z.string().optional(),
    output: z.string().optional(),
    subset: integer(1, 100).optional(),
    seed: integer(0, 4_294_967_295).optional(),
    timeout: integer(1, 7200).optional(),
    'ttft-timeout': number(0.1, 7200).optional(),
    official: z.boolean().default(false),
    data: z.string().default('runs'),
  }),
  examples: [
    'bench janus run -t http://localhost:8000 -m my-model -b janus_streaming --subset 5',
    'bench janus run -t http://localhost:8000 -m my-model -s private/test --items our-items/',
    'bench janus show bench_results_01ab.json',
    'bench janus compare first.json second.json -o deltas.json',
  ],
  async run({ values, positionals, json, quiet }, io) {
    const [action = '', one, other] = positionals
    switch (action) {
      case 'run':
        return runJanus(values, { json, quiet }, io)
      case 'list-suites':
        for (const [name, { title }] of Object.entries(janusSuites))
          io.out(json ? JSON.stringify({ suite: name, title }) : `${name}  ${title}`)
        return exitCodes.ok
      case 'list-benchmarks':
        for (const { name, total_items, description, profiles } of cards.filter((card) => names.includes(card.name)))
          io.out(
            json
              ? JSON.stringify({ name, total_items, profiles: profiles.map(({ id }) => id) })
              : `${name}  ${total_items} items. ${description}`,
          )
        return exitCodes.ok
      case 'show': {
        const report = readReport(one)
        if (json) io.out(JSON.stringify(report))
        else for (const line of reportLines(report)) io.out(clean(line))
        return exitCodes.ok
      }
      case 'analyze':
        return give(analyseReport(readReport(one)), values.output, json, io)
      case 'compare':
        return give(compareReports(readReport(one), readReport(other)), values.output, json, io)
      default:
        throw new UsageError(`ACTION is one of: ${actions.join(', ')}.`)
    }
  },
})

/** Writes a result to a file, or to stdout where none is named. */
function give(result: object, output: string | undefined, json: boolean, io: Io): number {
  const text = JSON.stringify(result, null, json ? 0 : 2)
  if (output === undefined) io.out(clean(text))
  else {
    writeFileSync(output, `${text}\n`)
    if (!json) io.out(output)
  }
  return exitCodes.ok
}
