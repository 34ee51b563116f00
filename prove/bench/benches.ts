/** Every measurement by name; each prints a table with units and gives the process's exit code; its program is loaded when it runs. */
export const benches: Record<string, { what: string; run(args: string[]): Promise<number> }> = {
  throughput: {
    what: 'trials a second of the whole system, CPU and memory by process, beside bare loops against the same model',
    run: async (args) => (await import('./throughput.ts')).throughput(args),
  },
  'rate-limit': {
    what: 'how much of a limited key several runs use, and how many requests are refused',
    run: async (args) => (await import('./rate-limit.ts')).rateLimit(args),
  },
  refusals: {
    what: 'what a share of random refusals leaves of the pace, and how a limit is used that names no wait',
    run: async (args) => (await import('./refusals.ts')).refusals(args),
  },
  crowd: {
    what: 'how long something cheap takes while strangers search, download and verify',
    run: async (args) => (await import('./crowd.ts')).crowd(args),
  },
  search: {
    what: 'draining, listing, filtering and searching a run of 100,000 trials',
    run: async (args) => (await import('./search.ts')).search(args),
  },
  leaderboard: {
    what: 'what a leaderboard over 10,000 runs costs, and the end of a run that comes to it',
    run: async (args) => (await import('./leaderboard.ts')).leaderboard(args),
  },
  match: {
    what: 'CPU of the fleet’s object with a thousand agents, and how much work it moves about',
    run: async (args) => (await import('./match.ts')).match(args),
  },
  bundle: {
    what: 'time and memory to write and to verify the signed ZIP of a large run, in Node with a small heap and in Chromium',
    run: async (args) => (await import('./bundle.ts')).bundle(args),
  },
  rows: {
    what: 'time and memory to index, survey and read a data file of 5 GB, and how long the agent stands still',
    run: async (args) => (await import('./rows.ts')).rows(args),
  },
  soak: {
    what: 'run after run for an hour: what processes and files hold, and whether it grows',
    run: async (args) => (await import('./soak.ts')).soak(args),
  },
  sandbox: {
    what: 'opening a sandbox and running small commands in one, beside the bare commands',
    run: async (args) => (await import('./sandbox.ts')).sandbox(args),
  },
  episodes: {
    what: 'episodes a second at machines of one Docker engine, beside a bare loop of Docker commands',
    run: async (args) => (await import('./episodes.ts')).episodes(args),
  },
  'stream-truth': {
    what: 'first token and longest gap of streamed answers beside the simulated provider’s log of what it sent when',
    run: async (args) => (await import('./stream-truth.ts')).streamTruth(args),
  },
  scorers: {
    what: 'items a second of every scorer on one core, and the slowest checks on 100 kB',
    run: async (args) => (await import('./scorers.ts')).scorers(args),
  },
}
