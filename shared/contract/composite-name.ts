import * as z from 'zod'

/** Scores that are made of several benchmarks; a card says which one its benchmark counts in. */
export const compositeNames = ['janus'] as const
export const CompositeName = z.enum(compositeNames)
export type CompositeName = z.infer<typeof CompositeName>
