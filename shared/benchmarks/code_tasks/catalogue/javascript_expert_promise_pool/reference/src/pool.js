import { QueueFullError } from './errors.js'

export { QueueFullError }

const isCount = (value, least) => value === Infinity || (Number.isInteger(value) && value >= least)

/**
 * A pool that runs a limited number of tasks at a time.
 *
 * @param {{ concurrency: number, perKey?: number, maxQueue?: number }} options
 */
export function createPool({ concurrency, perKey = Infinity, maxQueue = Infinity }) {
  let limit = checkedConcurrency(concurrency)
  if (!isCount(perKey, 1)) throw new RangeError('perKey must be a positive integer or Infinity')
  if (!isCount(maxQueue, 0)) throw new RangeError('maxQueue must be a non-negative integer or Infinity')
  /** In the order in which they would begin. */
  const waiting = []
  const running = new Set()
  const keys = new Map()
  const idlers = []
  const roomWatchers = []
  let paused = false
  let done = 0
  let failed = 0

  const fits = ({ key }) => !paused && running.size < limit && (key === undefined || (keys.get(key) ?? 0) < perKey)

  const settle = (job, finish, value) => {
    if (job.settled) return
    job.settled = true
    job.given?.removeEventListener('abort', job.onAbort)
    if (finish === job.resolve) done++
    else failed++
    finish(value)
  }

  const begin = (job) => {
    running.add(job)
    if (job.key !== undefined) keys.set(job.key, (keys.get(job.key) ?? 0) + 1)
    job.onBegin?.()
    let result
    try {
      result = Promise.resolve(job.task({ signal: job.controller.signal }))
    } catch (error) {
      result = Promise.reject(error)
    }
    result.then(
      (value) => end(job, job.resolve, value),
      (error) => end(job, job.reject, error),
    )
  }

  const end = (job, finish, value) => {
    running.delete(job)
    if (job.key !== undefined) {
      const left = keys.get(job.key) - 1
      if (left > 0) keys.set(job.key, left)
      else keys.delete(job.key)
    }
    fill()
    settle(job, finish, value)
    tellIdlers()
    tellWatchers()
  }

  const fill = () => {
    for (let at = 0; at < waiting.length && !paused && running.size < limit; ) {
      if (fits(waiting[at])) {
        begin(waiting.splice(at, 1)[0])
        at = 0
      } else at++
    }
  }

  const tellIdlers = () => {
    if (running.size > 0 || waiting.length > 0) return
    for (const resolve of idlers.splice(0)) resolve()
  }

  const abortJob = (job, reason) => {
    if (job.settled) return
    const at = waiting.indexOf(job)
    if (at >= 0) waiting.splice(at, 1)
    settle(job, job.reject, reason)
    if (at < 0) job.controller.abort(reason)
    tellIdlers()
  }

  const enqueue = (job) => {
    if (fits(job)) return begin(job)
    if (waiting.length >= maxQueue) {
      const last = waiting.at(-1)
      if (last === undefined || last.priority >= job.priority) return settle(job, job.reject, new QueueFullError())
      waiting.pop()
      settle(last, last.reject, new QueueFullError())
    }
    const behind = waiting.findIndex((other) => other.priority < job.priority)
    waiting.splice(behind < 0 ? waiting.length : behind, 0, job)
  }

  const start = (task, { priority = 0, key, signal } = {}, onBegin) =>
    new Promise((resolve, reject) => {
      if (typeof task !== 'function') throw new TypeError('task must be a function')
      const job = { task, priority, key, resolve, reject, given: signal, controller: new AbortController(), settled: false, onBegin }
      job.onAbort = () => abortJob(job, signal.reason)
      if (signal?.aborted) return settle(job, reject, signal.reason)
      signal?.addEventListener('abort', job.onAbort)
      enqueue(job)
    })

  const map = async (items, mapper, { stopOnError = true, signal, ...options } = {}) => {
    const iterator = items[Symbol.asyncIterator]?.() ?? items[Symbol.iterator]()
    const own = new AbortController()
    const forward = () => own.abort(signal.reason)
    if (signal?.aborted) forward()
    signal?.addEventListener('abort', forward)
    const results = []
    const failures = new Map()
    const all = []
    let stopped = null
    let wakeStopped
    const stopping = new Promise((resolve) => {
      wakeStopped = resolve
    })
    const stop = (error) => {
      if (stopped) return
      stopped = { error }
      wakeStopped()
      own.abort(error)
    }
    const stopFrom = (index) => (error) => {
      failures.set(index, error)
      if (stopOnError) stop(error)
    }
    try {
      for (let index = 0; !stopped; index++) {
        await Promise.race([hasRoom(), stopping])
        if (stopped) break
        const step = await iterator.next()
        if (step.done || stopped) break
        const begun = new Promise((resolve) => {
          const promise = start((state) => mapper(step.value, index, state), { ...options, signal: own.signal }, resolve)
          all.push(promise.then((value) => { results[index] = value }, stopFrom(index)).then(resolve))
        })
        await Promise.race([begun, stopping])
      }
      if (stopped) await iterator.return?.()
    } catch (error) {
      stop(error)
    }
    if (!stopped) await Promise.race([Promise.all(all), stopping])
    signal?.removeEventListener('abort', forward)
    if (stopped) throw stopped.error
    if (failures.size === 0) return results
    const errors = [...failures].sort(([a], [b]) => a - b).map(([, error]) => error)
    throw new AggregateError(errors, `${errors.length} of ${all.length} failed`)
  }

  /** Fulfilled as soon as a place is free. */
  const hasRoom = async () => {
    while (paused || running.size >= limit) await new Promise((resolve) => roomWatchers.push(resolve))
  }
  const tellWatchers = () => {
    for (const resolve of roomWatchers.splice(0)) resolve()
  }

  return {
    run: (task, options) => start(task, options),
    map,
    pause() {
      paused = true
    },
    resume() {
      paused = false
      fill()
      tellWatchers()
    },
    resize(next) {
      limit = checkedConcurrency(next)
      fill()
      tellWatchers()
    },
    stats: () => ({ running: running.size, waiting: waiting.length, done, failed }),
    idle: () =>
      new Promise((resolve) => {
        idlers.push(resolve)
        tellIdlers()
      }),
    abort(reason) {
      for (const job of [...waiting, ...running]) abortJob(job, reason)
    },
  }
}

function checkedConcurrency(value) {
  if (!isCount(value, 1)) throw new RangeError('concurrency must be a positive integer')
  return value
}
