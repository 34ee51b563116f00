import { expect, test } from 'vitest'
import { ifbenchKwargs } from '#shared/scorers/ifbench/kwargs.ts'
import { ifbenchAnswers } from './answers-ifbench.ts'
import { compareVerdicts, disagreementsOf, tallyTable } from './compare-verdicts.ts'

const said = (strict: boolean, loose: boolean, raised: string | null = null) => ({ strict, loose, raised })
const answer = (id: string) => ({ id, kwargs: {}, text: 'x' })

test('[SCORE47] disagreements in either sense are counted per check, but for checks in which the other side is known to deviate', () => {
  const tallies = compareVerdicts(
    [answer('b'), answer('a'), answer('a'), answer('a')],
    [said(true, true), said(true, true), said(false, false), said(false, false)],
    [said(false, false), said(true, true), said(false, true), said(false, false, 'IndexError')],
    { b: 'counts otherwise' },
  )
  expect(tallies).toMatchObject([
    { id: 'a', answers: 3, followed: 1, raised: 1, disagreements: 1, deviation: null },
    { id: 'b', answers: 1, followed: 0, raised: 0, disagreements: 1, deviation: 'counts otherwise' },
  ])
  expect(tallies[0]?.examples).toEqual([{ ...answer('a'), ours: said(false, false), official: said(false, true) }])
  expect(disagreementsOf(tallies)).toBe(1)
  expect(tallyTable(tallies)).toContain('counts otherwise')
})

test('[SCORE47] generated answers are the same for the same seed, and every check gets its part with arguments that it takes', () => {
  const answers = ifbenchAnswers(3, 1160, ['One reply. It has two sentences.'], 'Only this.')
  expect(ifbenchAnswers(3, 1160, ['One reply. It has two sentences.'], 'Only this.')).toEqual(answers)
  expect(ifbenchAnswers(4, 1160, [], null)).not.toEqual(answers)
  for (const [id, schema] of Object.entries(ifbenchKwargs)) {
    const own = answers.filter((found) => found.id === id)
    expect(own.length).toBe(20)
    for (const { kwargs } of own) expect(schema.safeParse(kwargs).success).toBe(true)
  }
})
