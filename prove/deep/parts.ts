/** A part of the deep proof: `args` run it whole, `brief` in a few minutes, as CI does. */
export type DeepPart = {
  name: string
  /** Beginnings of the paths that it is about. */
  touches: readonly string[]
  /** Arguments for Node, from the root of the checkout. */
  args: readonly string[]
  brief: readonly string[] | null
  env?: Record<string, string>
  /** Limit of the brief form, in minutes. */
  minutes: number
}

const vitest = (...paths: string[]) => ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', '--silent=passed-only', ...paths]
const machineCheats = vitest(
  ...['fleet/machine/cheats', 'fleet/machine/services', 'fleet/machine/terminal-bench-1', 'fleet/machine/episodes'],
  ...['fleet/machine/machine', 'fleet/sandbox/docker/docker'],
  ...['prove/cheats/answered-books', 'prove/cheats/browser', 'shared/benchmarks/swe_bench_pro/on-host'],
)
const journeys = (...names: string[]) => ['node_modules/vitest/vitest.mjs', 'run', '--project', 'e2e', '--silent=passed-only', ...names]
const sizedJourneys = journeys(
  ...['recorded-run', 'canary', 'scripted-benchmark', 'killed-crowd', 'killed-episodes', 'second-host', 'imported-job'],
)
const pagesLookedAt = journeys('browser', 'states', 'task-page', 'janus-run', 'dialogue-run', 'leaderboard')
const prove = (...args: string[]) => ['prove/main.ts', ...args]
/** Everything that the simulator plays: the run core, its shells, the fleet's object and the agent's own program. */
const played = ['shared/run/', 'edge/run/', 'edge/fleet/', 'fleet/coordinator/', 'fleet/agent.ts', 'fleet/run-worker.ts', 'prove/sim/']

/** Tests that draw cases, by folder: a change there has its folder's cases drawn many times over. */
const drawing = [
  ...['shared/run', 'shared/scorers', 'shared/export', 'shared/harbor', 'shared/secrets', 'shared/telemetry', 'shared/contract'],
  ...['edge', 'fleet/model', 'db/queries'],
]

/** All deep parts, the quickest first: what a limited time allows is as much as possible. */
export const deepParts: readonly DeepPart[] = [
  {
    name: 'draws of terminals',
    touches: ['shared/terminal/', 'fleet/terminal-screen.test.ts'],
    args: vitest('fleet/terminal-screen'),
    brief: vitest('fleet/terminal-screen'),
    env: { BENCH_DRAW_BUDGET: '8' },
    minutes: 3,
  },
  ...drawing.map(
    (folder): DeepPart => ({
      name: `draws of ${folder}`,
      touches: [`${folder}/`],
      args: vitest(`${folder}/`),
      brief: vitest(`${folder}/`),
      env: { BENCH_DRAW_BUDGET: '8' },
      minutes: 3,
    }),
  ),
  {
    name: 'seeds',
    touches: played,
    args: prove('sim', '--seeds', '500'),
    brief: prove('sim', '--seeds', '75', '--from', '26'),
    minutes: 3,
  },
  {
    name: 'forecasts',
    touches: [
      'shared/run/pace.ts',
      'shared/run/expect-paces.ts',
      'shared/run/time-law.ts',
      'shared/run/match/',
      'shared/run/testing/',
      'prove/forecast/',
    ],
    // A floor below what stands (BENCHMARKS.md); the aim of 80 % is the proof's own default.
    args: prove('forecast', '--least', '58'),
    brief: prove('forecast', '--least', '58'),
    minutes: 3,
  },
  { name: 'planted bugs', touches: played, args: prove('sim', '--mutants'), brief: prove('sim', '--mutants'), minutes: 5 },
  {
    name: 'chaos',
    touches: ['edge/run/', 'edge/fleet/', 'edge/local/', 'fleet/coordinator/', 'db/', 'prove/chaos/'],
    args: prove('chaos', '--minutes', '30'),
    brief: prove('chaos', '--quick'),
    minutes: 4,
  },
  {
    name: 'attacks on sandboxes',
    touches: ['fleet/sandbox/', 'prove/sandbox/'],
    args: prove('sandbox'),
    brief: prove('sandbox'),
    minutes: 5,
  },
  {
    name: 'machines, with cheats of them and of books',
    touches: [
      'fleet/machine/',
      'fleet/sandbox/',
      'fleet/docker/',
      'fleet/trial/',
      'shared/episode/',
      'shared/benchmarks/livecodebench/',
      'shared/benchmarks/swe_bench_pro/',
      'prove/cheats/',
    ],
    args: machineCheats,
    brief: machineCheats,
    env: { BENCH_DRAW_BUDGET: '8' },
    minutes: 10,
  },
  {
    name: 'journeys of full size',
    touches: [
      ...['fleet/sandbox/', 'fleet/machine/', 'fleet/coordinator/', 'shared/harbor/', 'edge/routes/harbor-import.ts', 'e2e/'],
      ...['shared/benchmarks/mmlu_pro/', 'shared/scorers/', 'edge/routes/export-file.ts', 'shared/secrets/'],
    ],
    args: sizedJourneys,
    brief: sizedJourneys,
    env: { BENCH_DRAW_BUDGET: '8' },
    minutes: 10,
  },
  {
    name: 'looks of pages',
    touches: ['web/', 'e2e/open-browser.ts'],
    args: pagesLookedAt,
    brief: pagesLookedAt,
    env: { BENCH_DRAW_BUDGET: '2' },
    minutes: 8,
  },
  {
    name: 'mutants of the run core',
    touches: ['shared/run/', 'prove/mutants/'],
    args: prove('mutants'),
    brief: prove('mutants', '--most', '60', '--only', 'shared/run'),
    minutes: 5,
  },
  { name: 'mutants of rules', touches: ['shared/SPEC.md', 'prove/mutants/'], args: prove('mutants', '--rules'), brief: null, minutes: 0 },
  {
    name: 'cheats',
    touches: ['fleet/sandbox/', 'fleet/trial/', 'shared/benchmarks/', 'prove/cheats/'],
    args: prove('cheats'),
    brief: null,
    minutes: 0,
  },
  {
    name: 'fleet by one command',
    touches: ['fleet.compose.yml', 'fleet.bubblewrap.yml', 'fleet/engine/', 'docs/fleet/', 'prove/fleet/'],
    args: prove('fleet'),
    brief: null, // a bare machine builds Compose and three images first
    minutes: 0,
  },
  { name: 'intervals', touches: ['shared/metrics/', 'prove/coverage/'], args: prove('coverage'), brief: null, minutes: 0 },
  {
    name: 'parity',
    touches: ['shared/scorers/ifeval/', 'shared/scorers/ifbench/', 'shared/scorers/nltk/', 'prove/parity/'],
    args: ['prove/parity/main.ts', 'ifeval', 'ifbench'],
    brief: ['prove/parity/main.ts', 'ifeval', 'ifbench', '--answers', '2000'],
    minutes: 4,
  },
]

/** Parts that a change of these files touches. */
export const touchedBy = (files: readonly string[]): DeepPart[] =>
  deepParts.filter(({ touches }) => files.some((file) => touches.some((start) => file.startsWith(start))))
