import { expect, test } from 'vitest'
import { apartText, boardCsv, boardMarkdown, boardText } from './board-text.ts'
import { exampleApart, exampleBoard, exampleLeaderboard } from './testing/example-board.ts'

test('[API180] a board is copied as a Markdown table that no name breaks', () => {
  const lines = boardMarkdown(exampleLeaderboard()).split('\n')
  expect(lines[0]).toBe('mmlu_pro, version 3, official, data org/set at 01234567')
  expect(lines[4]).toBe(
    '| 1 | org/model-a | chutes | temperature 0, max\\_tokens 2048 | 2 runs | 71.0 % (69.0–73.0)  n = 12,032 | 72.0 % (70.0–74.0)  n = 12,032 | $1.50 | 1 min 35 s | 2 of 24,064 | 2026-01-02 |'.replaceAll(
      '  n',
      ' n',
    ),
  )
  expect(lines[5]).toContain('=cmd\\|x (demo)')
  expect(lines[5]).toContain('reasoning\\_effort high, judge org/judge | 1 run, 1 not public, 2 withdrawn |')
  expect(boardMarkdown({ board: null, rows: [] })).toBe('')
})

test('[API180] as CSV a board has numbers as they are, and no name that a spreadsheet runs', () => {
  const [heads, first, second] = boardCsv(exampleLeaderboard()).split('\r\n')
  expect(heads!.split(',')).toHaveLength(23)
  expect(first).toMatch(/^1,org\/model-a,chutes,"temperature 0, max_tokens 2048",false,2,0,0,0\.71,/)
  expect(first).toContain(',0.72,0.7,0.74,12032,1.5,95000,11111111-')
  expect(second).toMatch(/^2,'=cmd\|x,/)
})

test('[API178] what a run apart covered is said in words, for every reason', () => {
  const said = (['canceled', 'subset', 'epochs', 'unfinished', 'failures'] as const).map((reason) =>
    apartText(exampleApart({ reason, planned_epochs: 10 })),
  )
  expect(said).toEqual([
    'canceled, 601 of 12,032 items planned',
    '601 of 12,032 items',
    '1 of 10 epochs',
    'did not get through its plan of 601 of 12,032 items',
    '1 of 601 trials failed',
  ])
  expect(boardText({ ...exampleBoard, scorer_version: 4, data: { ...exampleBoard.data, source: 'sample' } })).toBe(
    'version 3, scored by version 4, official, sample data org/set at 01234567',
  )
})
