import type { Profile } from '../contract/card.ts'
import { commandProfile } from '../contract/command-agent.ts'
import { terminus2Pins } from '../terminus/official-texts.ts'
import { terminus1Pins } from '../terminus/terminus1-texts.ts'

const asked = {
  files: ['test'],
  tables: [],
  params: { temperature: null, top_p: null, max_tokens: null, stop: null, seed: null, reasoning_effort: null },
  epochs: 1,
} satisfies Omit<Profile, 'id' | 'title' | 'texts'>

/** Who may work at a terminal: results of different ones are not compared, so each is a profile. */
export const terminalProfiles: readonly Profile[] = [
  { id: 'terminus-2', title: 'terminus-2 with Harbor’s words, answers in JSON', texts: terminus2Pins('harbor', 'json'), ...asked },
  { id: 'terminus-2-xml', title: 'terminus-2 with Harbor’s words, answers in XML', texts: terminus2Pins('harbor', 'xml'), ...asked },
  { id: 'terminus-1', title: 'terminus-1 of Terminal-Bench 0.2.18 with its own words', texts: [...terminus1Pins], ...asked },
  { id: 'builtin', title: 'terminus-2 in our own words, answers in JSON', texts: [], ...asked },
  { id: commandProfile, title: 'A command of whoever starts the run, which reaches the model by a proxy', texts: [], ...asked },
  { id: 'oracle', title: 'The task’s own solution: no model is asked', texts: [], ...asked },
  { id: 'nop', title: 'Nobody does anything: no model is asked', texts: [], ...asked },
]
