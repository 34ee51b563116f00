import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sampleRecord, sampleSpec } from '#shared/export/testing/sample-run.ts'
import { openRunFolder, reopenRunFolder } from './run-folder.ts'

const finished_at = '2026-03-04T05:00:30.999Z'

test('[EXP110] a page of a local run ends at its length or at 4 MB, whichever comes first, but holds at least one trial', async () => {
  const out = mkdtempSync(join(tmpdir(), 'bench-folder-'))
  try {
    const spec = sampleSpec(400)
    const folder = openRunFolder(out, spec)
    const weights = new Map([[301, 5_000_000], [302, 3_000_000], [303, 2_000_000]]) // biome-ignore format: one trial, one pair
    for (let ordinal = 0; ordinal < 305; ordinal++) {
      const record = sampleRecord(
        { ordinal, benchmark: 'letters', item_id: String(ordinal), epoch: 0 },
        'x'.repeat(weights.get(ordinal) ?? 0),
      )
      folder.append([{ record: { ...record, outcome: 'right', failure: null }, finished_at }], [])
    }
    folder.close()
    const again = reopenRunFolder(join(out, spec.run_id), 'read').folder
    const pages: number[][] = []
    for await (const page of again.trials('letters')) pages.push(page.map(({ record }) => record.ordinal))
    again.close()
    expect(pages.map((page) => page.length)).toEqual([250, 51, 1, 1, 2])
    expect(pages.flat()).toEqual(Array.from({ length: 305 }, (_, ordinal) => ordinal))
  } finally {
    rmSync(out, { recursive: true })
  }
})
