import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{shared,db,edge,fleet,prove,web}/**/*.test.ts', '*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.workers.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // The objects inside workerd, and that shared code runs there as it does in Node.
        plugins: [cloudflareTest({ wrangler: { configPath: './edge/objects/testing/wrangler.toml' } })],
        test: {
          name: 'workers',
          include: ['edge/**/*.workers.test.ts', 'shared/{run,metrics,scorers,random,solvers}/*.test.ts'],
          fsModuleCache: false,
          testTimeout: 60_000,
        },
      },
      {
        // Whole stacks of processes: one file after the other.
        test: {
          name: 'e2e',
          include: ['e2e/*.test.ts'],
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
