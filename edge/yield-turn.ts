/** Lets requests that wait have the thread: a Worker has one for all of them. Ends when they had their turn. */
export const yieldTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
