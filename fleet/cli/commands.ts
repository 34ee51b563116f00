import type { Command } from './command.ts'

export type Entry = { summary: string; group: string; aliases?: readonly string[]; load(): Promise<Command> }

const runs = 'Runs:'
const results = 'Results:'
const offers = 'What there is:'
const machines = 'Machines:'

/** Every command with the line that `bench --help` shows; its code is loaded when it runs. */
export const commands = {
  run: {
    summary: 'start a run, and wait for it with --wait',
    group: runs,
    aliases: ['eval'],
    load: async () => (await import('./commands/run.ts')).run,
  },
  plan: {
    summary: 'show the requests, the cost and the time of a run; starts nothing',
    group: runs,
    load: async () => (await import('./commands/plan.ts')).plan,
  },
  watch: { summary: 'follow a run until it ends', group: runs, load: async () => (await import('./commands/watch.ts')).watch },
  list: { summary: 'list runs, newest first', group: runs, aliases: ['ls'], load: async () => (await import('./commands/list.ts')).list },
  show: {
    summary: 'show a run, one of its benchmarks, or one item',
    group: runs,
    load: async () => (await import('./commands/show.ts')).show,
  },
  cancel: { summary: 'cancel a run for good', group: runs, load: async () => (await import('./commands/steer.ts')).cancel },
  pause: { summary: 'pause a run', group: runs, load: async () => (await import('./commands/steer.ts')).pause },
  resume: { summary: 'resume a paused run', group: runs, load: async () => (await import('./commands/steer.ts')).resume },
  budget: { summary: 'change the budget of a run', group: runs, load: async () => (await import('./commands/steer.ts')).budget },
  share: { summary: 'change the visibility of a run', group: runs, load: async () => (await import('./commands/steer.ts')).share },
  retry: { summary: 'retry the failed trials of a run', group: runs, load: async () => (await import('./commands/steer.ts')).retry },
  export: {
    summary: 'download a run: signed ZIP, PDF, CSV, JSON, JSONL, Harbor, Janus',
    group: results,
    load: async () => (await import('./commands/export.ts')).exportRun,
  },
  import: {
    summary: 'read a Harbor job as a run of this machine',
    group: results,
    load: async () => (await import('./commands/import.ts')).importRun,
  },
  verify: {
    summary: 'verify a signed ZIP or its folder, offline',
    group: results,
    load: async () => (await import('./commands/verify.ts')).verify,
  },
  rescore: {
    summary: 'score the answers of an ended run again, and compare',
    group: results,
    load: async () => (await import('./commands/rescore.ts')).rescore,
  },
  regrade: {
    summary: 'run the tests of terminal tasks again on the files of earlier episodes',
    group: results,
    load: async () => (await import('./commands/regrade.ts')).regrade,
  },
  janus: {
    summary: 'run the Janus suite; show, analyze and compare its reports',
    group: results,
    load: async () => (await import('./commands/janus.ts')).janus,
  },
  leaderboard: {
    summary: 'compare models on a benchmark, by mean and best run',
    group: results,
    load: async () => (await import('./commands/leaderboard.ts')).leaderboard,
  },
  models: { summary: 'list the models that can be run', group: offers, load: async () => (await import('./commands/models.ts')).models },
  benchmarks: {
    summary: 'list benchmarks and their data',
    group: offers,
    load: async () => (await import('./commands/benchmarks.ts')).benchmarks,
  },
  tasks: {
    summary: 'check the tasks of a catalogue, or print a reference solution',
    group: offers,
    load: async () => (await import('./commands/tasks.ts')).tasks,
  },
  upload: {
    summary: 'upload tasks in Harbor’s format, and execute them with --execute',
    group: runs,
    load: async () => (await import('./commands/upload.ts')).upload,
  },
  load: {
    summary: 'put a load of uploads and episodes on the service, and print its times',
    group: machines,
    load: async () => (await import('./commands/load.ts')).load,
  },
  up: {
    summary: 'start everything on this machine (as npm start does)',
    group: machines,
    load: async () => (await import('./commands/up.ts')).up,
  },
  agents: {
    summary: 'list the agents of the fleet with their state',
    group: machines,
    load: async () => (await import('./commands/agents.ts')).agents,
  },
  keys: {
    summary: 'list, make and revoke keys of the service',
    group: machines,
    load: async () => (await import('./commands/keys.ts')).keys,
  },
  agent: { summary: 'join a fleet with this machine', group: machines, load: async () => (await import('./commands/agent.ts')).agent },
  doctor: {
    summary: 'check this machine and name each missing part',
    group: machines,
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
} satisfies Record<string, Entry>

/** The command of this name or alias. */
export function findEntry(name: string): Entry | undefined {
  const all: [string, Entry][] = Object.entries(commands)
  return all.find(([own, { aliases }]) => own === name || aliases?.includes(name))?.[1]
}
