/** Every proof by name, with its program below this folder. */
export const proofs = {
  sim: 'sim/main.ts',
  chaos: 'chaos/main.ts',
  coverage: 'coverage/main.ts',
  forecast: 'forecast/main.ts',
  mutants: 'mutants/main.ts',
  deploy: 'deploy/main.ts',
  image: 'image/main.ts',
  fleet: 'fleet/main.ts',
  cheats: 'cheats/main.ts',
  browser: 'browser/main.ts',
  sandbox: 'sandbox/main.ts',
  soak: 'bench/main.ts',
  installed: 'installed/main.ts',
  deep: 'deep/main.ts',
} as const

/** What `npm run prove` prints: each proof with its options. */
export const proofsUsage = `npm run prove -- sim   [--seeds 500] [--events 5000] [--seed N] [--mutants]   seeded simulation of the run core
npm run prove -- chaos [--quick] [--minutes M] [--seed N]                      real processes, killed while a run goes on
npm run prove -- coverage [--simulations 60000] [--seed 1] [--items 30,198,…]  how often the intervals of scores hold
npm run prove -- forecast [--seeds 200] [--from 10001] [--least 80]            expected ends of runs in simulated queues: 8 of 10 within 25 %
npm run prove -- mutants [--most 240] [--seed S] [--only PATH] [--workers N] [--list]   small bugs planted in run core, objects and agent
npm run prove -- mutants --rules [--only RULE|PATH] [--workers N]                  bugs in the lines that carry rules: a test of that rule finds each
npm run prove -- deploy [--delay 30] [--idle 25]                               DEPLOY.md rehearsed: the built Worker, a database away, a run, its export
npm run prove -- image [--builder IMAGE] [--network host] [--trials 13440]         the agent's image: its size, and compose stop during a run
npm run prove -- fleet                                                             fleet.compose.yml with an engine of its own: every kind of task, the engine killed, nothing left
npm run prove -- sandbox [--only bwrap|docker] [--rows 1,2,…] [--image NAME]    44 attacks on sandboxes: contained, or named as not held
npm run prove -- cheats [--benchmark B] [--only WORD] [--sandbox bwrap|docker] [--parallel 2] [--verbose]   reference solutions 1, doing nothing and every known cheat 0
npm run prove -- soak [--minutes 60] [--trials 500]                                  run after run: the growth of each process's memory after ten minutes
npm run prove -- installed [--at DIR] [--keep]                                  the packaged program installed for all users: 31 of 31 tasks refuse to be cheated
npm run prove -- browser [--most 25] [--seed 1] [--only WORD] [--verbose]            HTML tasks in a browser and without one: the same verdicts
npm run prove -- deep [--changed [COMMIT]] [--brief] [--minutes N] [--list]         the repeats that npm test samples: draws, seeds, mutants, chaos, parity`
