import { expect, test } from 'vitest'
import { exampleBoard } from '#shared/board/testing/example-board.ts'
import { boardQuery, choicesOf, readBoardFilter, withChoice } from './board-filter.ts'

test('[UI110] which board is shown stands in the address, and what makes no sense there is left out', () => {
  const filter = readBoardFilter({ benchmark: 'mmlu_pro', profile: '', board: ['a', 'b'], sort: 'worst' })
  expect(filter).toEqual({ benchmark: 'mmlu_pro', profile: undefined, board: undefined, sort: 'mean' })
  expect(boardQuery(filter)).toEqual({ benchmark: 'mmlu_pro', profile: undefined, board: undefined, sort: undefined })
  const best = readBoardFilter({ sort: 'best', board: 'x', profile: 'official' })
  expect(readBoardFilter(boardQuery(best))).toEqual(best)
})

test('[UI110] another benchmark takes profile and revision of the former away, another profile its revision', () => {
  const filter = readBoardFilter({ benchmark: 'mmlu_pro', profile: 'official', board: 'x', sort: 'best' })
  expect(withChoice(filter, { benchmark: 'ifeval' })).toEqual({ benchmark: 'ifeval', profile: undefined, board: undefined, sort: 'best' })
  expect(withChoice(filter, { profile: 'builtin' })).toEqual({ ...filter, profile: 'builtin', board: undefined })
  expect(withChoice(filter, { sort: 'mean' })).toEqual({ ...filter, sort: 'mean' })
})

test('[UI110] benchmarks, and the shown one’s profiles and revisions, are there to choose from', () => {
  const former = { ...exampleBoard, id: 'b', version: 2 }
  const boards = [exampleBoard, former, { ...exampleBoard, id: 'c', profile: 'builtin' }, { ...exampleBoard, id: 'd', benchmark: 'ifeval' }]
  expect(choicesOf(boards, exampleBoard)).toEqual({
    benchmarks: ['ifeval', 'mmlu_pro'],
    profiles: ['builtin', 'official'],
    revisions: [exampleBoard, former],
  })
  expect(choicesOf(boards, null).profiles).toEqual([])
})
