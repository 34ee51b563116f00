import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readValues, verdictsOf } from './verdicts.ts'

test('[CHECK370] a reference that does not pass, a cheat that does and a trial without a value are told by task', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-verdicts-'))
  try {
    const run = join(folder, 'one')
    mkdirSync(run)
    const trial = (source_id: string, epoch: number, score: number | null) =>
      JSON.stringify({ source_id, epoch, outcome: score === null ? 'failed' : score === 1 ? 'right' : 'wrong', score, more: true })
    const lines = [trial('good', 0, 1), trial('good', 1, 0), trial('bad', 0, 0), trial('bad', 1, 1), trial('lost', 0, null)]
    writeFileSync(join(run, 'records.jsonl'), `${lines.join('\n')}\n`)
    writeFileSync(join(run, 'events.jsonl'), '{"id":1}\n')
    expect(verdictsOf(['good', 'bad', 'lost'], readValues(folder))).toEqual({
      passed: 1,
      refused: 1,
      wrong: [
        'bad: the reference came to 0',
        'lost: the reference came to no value',
        'bad: the cheat came to 1',
        'lost: the cheat came to no value',
      ],
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
