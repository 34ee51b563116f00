/** Hands tasks to workers. */
export function createScheduler(_options) {
  return {
    submit: async () => undefined,
    close: async () => undefined,
    stats: () => ({ idle: 0, busy: 0, waiting: 0, delayed: 0 }),
  }
}
