import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { playChaos } from './play.ts'

// Processes are found by /proc.
test.skipIf(process.platform !== 'linux')(
  '[SIM4] agent, workerd and PostgreSQL are killed during a run, and nothing of its result changes',
  { timeout: 400_000 },
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'bench-chaos-'))
    const trials = 2_000
    const report = await playChaos({
      dir,
      port: 0,
      trials,
      latencyMs: 30,
      width: 100,
      seed: 1,
      minutes: null,
      lateBatches: 6,
      say: () => undefined,
    })
    expect(report.breaches).toEqual([])
    expect(report.strikes.map(({ parts }) => parts)).toEqual([['agent'], ['workerd'], ['postgres']])
    expect(report.runs.map((run) => run.trials)).toEqual([trials])
    rmSync(dir, { recursive: true, force: true })
  },
)
