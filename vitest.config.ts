import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { fetch, type Request, Response } from 'miniflare'
import { defineConfig } from 'vitest/config'
import { unitLane } from './prove/checks/unit-lanes.ts'

/**
 * What objects under test reach: the database of `edge/objects/testing/database.ts` for tests that ask for it. The one they are bound to is
 * away, but says so at once: nothing waits for a connection, and nothing is logged for one.
 */
const outside = (request: Request) =>
  request.url === process.env.BENCH_TEST_DATABASE ? fetch(request) : new Response('The database is away.', { status: 503 })

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          ...unitLane(process.env.BENCH_UNIT_LANE),
          // Lanes share the cores, and other programs may want them too.
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        // The objects inside workerd, and that shared code runs there as it does in Node.
        plugins: [
          cloudflareTest({ wrangler: { configPath: './edge/objects/testing/wrangler.toml' }, miniflare: { outboundService: outside } }),
        ],
        test: {
          name: 'workers',
          include: ['edge/**/*.workers.test.ts', 'shared/{run,metrics,scorers,random,solvers}/*.test.ts'],
          globalSetup: 'edge/objects/testing/database.ts',
          // All files share one process: loading the modules again for each file took longer than the tests.
          isolate: false,
          fsModuleCache: false,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          // A line that an object writes from its own turn, such as an alarm, cannot travel over the test's connection: the end of the file would
          // wait for its receipt for ever.
          disableConsoleIntercept: true,
        },
      },
      {
        // Every file starts a stack of its own on free ports and waits for it most of the time.
        test: {
          name: 'e2e',
          include: ['e2e/*.test.ts'],
          globalSetup: 'e2e/before-all.ts',
          // Vitest runs projects of different widths one after the other, in this order.
          sequence: { groupOrder: 2 },
          maxWorkers: 4,
          isolate: false,
          testTimeout: 400_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
