/** Most repeats of an item in one run: as many episodes as the predecessor gave a task. */
export const mostEpochs = 100
