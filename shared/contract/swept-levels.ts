/** Levels of reasoning that a sweep asks, each in a run of its own. */
export const sweptLevels = ['none', 'low', 'medium', 'high'] as const
export type SweptLevel = (typeof sweptLevels)[number]
