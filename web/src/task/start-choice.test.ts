import { expect, test } from 'vitest'
import { chosenText, episodesText, readEpisodes, readStartChoice, whatStartLacks, writeStartChoice } from './start-choice.ts'

test('[UI132] what is chosen to be started survives the way through the address; what makes no sense is left open', () => {
  const choice = { agent: 'terminus-2', model: 'org/model', provider: 'chutes', episodes: 25, tasks: ['a', 'b'] }
  expect(readStartChoice(writeStartChoice(choice) as Record<string, string>)).toEqual(choice)
  const nothing = { agent: undefined, model: undefined, provider: undefined, episodes: undefined, tasks: [] }
  expect(readStartChoice({ episodes: 'many', tasks: ',,', agent: '', model: ['x', 'y'] })).toEqual(nothing)
  expect(Object.values(writeStartChoice(nothing)).filter((value) => value !== undefined)).toEqual([])
  expect(readStartChoice({ tasks: 'a,b,a' }).tasks).toEqual(['a', 'b'])
})

test('[UI132] episodes are whole numbers from 1 to 100; what lies outside is brought in', () => {
  expect(['1', ' 100 ', '250', '0'].map(readEpisodes)).toEqual([1, 100, 100, 1])
  expect(['', '2.5', '-3', 'ten', '1e2'].map(readEpisodes)).toEqual([undefined, undefined, undefined, undefined, undefined])
})

test('[UI132] the button says how much it starts, or what is missing first', () => {
  expect([1, 10, 2000].map(episodesText)).toEqual(['1 episode', '10 episodes', '2,000 episodes'])
  expect([['count lines'], ['a', 'b']].map(chosenText)).toEqual(['count lines', '2 tasks are chosen.'])
  expect(chosenText([])).toContain('Tick some')
  const ready = { tasks: 2, agent: { asks: true }, model: true, hindered: undefined, uploading: 0 }
  expect(whatStartLacks(ready)).toBeUndefined()
  expect(whatStartLacks({ ...ready, tasks: 0 })).toBe('Choose a task')
  expect(whatStartLacks({ ...ready, tasks: 0, uploading: 2 })).toBe('Uploading')
  expect(whatStartLacks({ ...ready, agent: undefined })).toBe('Choose a solver')
  expect(whatStartLacks({ ...ready, hindered: 'Cannot run here' })).toBe('Cannot run here')
  expect(whatStartLacks({ ...ready, model: false })).toBe('Choose a model')
  expect(whatStartLacks({ ...ready, model: false, agent: { asks: false } })).toBeUndefined()
})
