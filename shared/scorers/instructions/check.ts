import type { Tables } from '../tables.ts'

/** Arguments of one instruction, nulls dropped. */
export type Kwargs = Record<string, unknown>

/**
 * Whether a text follows one instruction. Total and linear: any text gives a verdict for kwargs that its benchmark accepted when it opened
 * the data; the only error is `TableMissing`.
 */
export type Check = (text: string, kwargs: Kwargs, tables: Tables) => boolean

/** The checks of a benchmark by the id that its data uses. */
export type Checks = Readonly<Record<string, Check>>

/** One instruction of an item. Items may carry an id twice; verdicts are told apart by their place, never by the id. */
export type Instruction = { id: string; kwargs: Kwargs }
