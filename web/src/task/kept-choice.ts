import { useSearchParams } from '@solidjs/router'
import { type Accessor, createComputed, createSignal, on } from 'solid-js'
import { readStartChoice, type StartChoice, writeStartChoice } from './start-choice.ts'

/**
 * What is chosen to be started, which the address follows: uploads that end at the same moment tick their tasks faster than an address changes. Where the
 * address changes by itself (a link, the browser's own buttons), that counts.
 */
export function createChoice(): [Accessor<StartChoice>, (part: Partial<StartChoice>) => void] {
  const [search, setSearch] = useSearchParams()
  const [choice, setChoice] = createSignal(readStartChoice(search))
  const textOf = (of: StartChoice) => JSON.stringify(of)
  /** What was written and has not come back yet. */
  const written = new Set<string>()
  createComputed(
    on(
      () => textOf(readStartChoice(search)),
      (text) => {
        if (text === textOf(choice())) written.clear()
        else if (!written.has(text)) setChoice(readStartChoice(search))
      },
      { defer: true },
    ),
  )
  const change = (part: Partial<StartChoice>) => {
    const next = { ...choice(), ...part }
    setChoice(next)
    written.add(textOf(next))
    setSearch(writeStartChoice(next), { replace: true, scroll: false })
  }
  return [choice, change]
}
