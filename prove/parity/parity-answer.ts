/** One answer to one instruction, to be scored by both sides. */
export type ParityAnswer = { id: string; kwargs: Record<string, unknown>; text: string }

export type Verdict = { strict: boolean; loose: boolean }

/** What the official side said; `raised` names the error of a check that gave no verdict. */
export type OfficialVerdict = Verdict & { raised: string | null }
