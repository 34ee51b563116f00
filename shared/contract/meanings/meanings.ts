import { boardMeanings } from './board.ts'
import { episodeMeanings } from './episode.ts'
import { janusMeanings } from './janus.ts'
import { opsMeanings } from './ops.ts'
import { runMeanings } from './run.ts'
import { parameterMeanings, serviceMeanings } from './service.ts'
import { streamMeanings } from './stream.ts'
import { taskMeanings } from './task.ts'
import { trialMeanings } from './trial.ts'

const meanings = new Map(
  Object.entries({
    ...opsMeanings,
    ...serviceMeanings,
    ...trialMeanings,
    ...episodeMeanings,
    ...runMeanings,
    ...boardMeanings,
    ...taskMeanings,
    ...streamMeanings,
    ...janusMeanings,
  }),
)

/** The sentence that says what a field means, by what holds it and its name; a name means the same everywhere unless its holder says otherwise. */
export function meaningOf(holder: string, name: string): string | undefined {
  return meanings.get(`${holder}.${name}`) ?? meanings.get(name)
}

export function parameterMeaning(place: 'path' | 'query' | 'header', name: string): string | undefined {
  return parameterMeanings[`${place}.${name}`]
}
