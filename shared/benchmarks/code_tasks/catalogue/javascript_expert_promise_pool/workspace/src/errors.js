/** A task for which there was no room. */
export class QueueFullError extends Error {
  constructor() {
    super('queue is full')
    this.name = 'QueueFullError'
  }
}
