/** Where every task may leave something to be handed over. */
export const handOverPlace = '/logs/artifacts'

/** Where agents, verifiers and hand-overs leave things; anybody may write there, as in Harbor. */
export const logPlaces = ['/logs/agent', '/logs/verifier', handOverPlace] as const
