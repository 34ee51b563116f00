/** Why a task was given up. */
export class TaskError extends Error {
  constructor(message, task, attempts, worker) {
    super(message)
    this.name = 'TaskError'
    this.task = task
    this.attempts = attempts
    this.worker = worker
  }
}

/** The scheduler takes no more tasks. */
export class ClosedError extends Error {
  constructor() {
    super('the scheduler is closed')
    this.name = 'ClosedError'
  }
}
