/** The parsers that a task of the first Terminal-Bench may name. */
export const paneParsers = ['pytest', 'swebench', 'swelancer', 'mlebench', 'sweperf'] as const
export type PaneParser = (typeof paneParsers)[number]
