import type { GrowingRedactor } from '#shared/secrets/growing-redactor.ts'

/** What has come of an answer since it was read last, with no secret in it. */
export type Reading = () => { text: string; reasoning: string }

/** Begins to read an answer that is on its way, from its first word. Nothing is done for one that nobody reads. */
export type ReadAnswer = () => Reading

/** Reads what grows: each part is cleaned once, and a key that is split between two of them is held back until it is whole. */
export function openReading(soFar: () => { text: string; reasoning: string | null }, growing: () => GrowingRedactor): Reading {
  const newIn = (whole: () => string) => {
    const clean = growing()
    let read = 0
    return (): string => {
      const text = whole()
      const part = text.slice(read)
      read = text.length
      return part === '' ? '' : clean(part)
    }
  }
  const text = newIn(() => soFar().text)
  const reasoning = newIn(() => soFar().reasoning ?? '')
  return () => ({ text: text(), reasoning: reasoning() })
}
