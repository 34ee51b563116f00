/** What answering a request takes: how many of a kind may be under way at once follows from it. */
export type Cost = 'cheap' | 'search' | 'stream' | 'heavy'
