import type { Command } from './command.ts'

type Entry = { summary: string; load(): Promise<Command> }

/** Every command with the line that `bench --help` shows; its code is loaded when it runs. */
export const commands = {
  up: { summary: 'start everything on this machine (as npm start does)', load: async () => (await import('./commands/up.ts')).up },
  run: { summary: 'start a run, and wait for it with --wait', load: async () => (await import('./commands/run.ts')).run },
  plan: { summary: 'what a run would ask, cost and take', load: async () => (await import('./commands/plan.ts')).plan },
  watch: { summary: 'follow a run until it ends', load: async () => (await import('./commands/watch.ts')).watch },
  list: { summary: 'runs, newest first', load: async () => (await import('./commands/list.ts')).list },
  show: { summary: 'a run, one of its benchmarks, or one item', load: async () => (await import('./commands/show.ts')).show },
  export: { summary: 'download a run: signed ZIP, CSV, JSON, JSONL', load: async () => (await import('./commands/export.ts')).exportRun },
  verify: { summary: 'check a signed ZIP without trusting anybody', load: async () => (await import('./commands/verify.ts')).verify },
  rescore: { summary: 'score an ended run again and compare', load: async () => (await import('./commands/rescore.ts')).rescore },
  cancel: { summary: 'cancel a run for good', load: async () => (await import('./commands/steer.ts')).cancel },
  pause: { summary: 'pause a run', load: async () => (await import('./commands/steer.ts')).pause },
  resume: { summary: 'go on with a paused run', load: async () => (await import('./commands/steer.ts')).resume },
  retry: { summary: 'try again what could not be scored', load: async () => (await import('./commands/steer.ts')).retry },
  models: { summary: 'models that can be run', load: async () => (await import('./commands/models.ts')).models },
  benchmarks: { summary: 'benchmarks and their data', load: async () => (await import('./commands/benchmarks.ts')).benchmarks },
  agent: { summary: 'join a fleet with this machine', load: async () => (await import('./commands/agent.ts')).agent },
  doctor: { summary: 'what this machine has and what is missing', load: async () => (await import('./commands/doctor.ts')).doctor },
} satisfies Record<string, Entry>
