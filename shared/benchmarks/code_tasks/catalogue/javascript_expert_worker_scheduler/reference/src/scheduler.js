import { ClosedError, TaskError } from './errors.js'

const wholePositive = (value) => Number.isInteger(value) && value > 0
const positive = (value) => typeof value === 'number' && value > 0
const finite = (value) => Number.isFinite(value) && value >= 0

function check(value, good, words) {
  if (!good(value)) throw new RangeError(words)
}
const checkAttempts = (value) => check(value, wholePositive, 'attempts must be a positive integer')
const checkTimeout = (value) => check(value, positive, 'timeout must be a positive number')

/** Hands tasks to workers. */
export function createScheduler({ size, spawn, clock, attempts = 1, backoff = 0, timeout = Infinity, idle = Infinity }) {
  check(size, wholePositive, 'size must be a positive integer')
  checkAttempts(attempts)
  check(backoff, finite, 'backoff must be a non-negative number')
  checkTimeout(timeout)
  check(idle, positive, 'idle must be a positive number')

  const line = []
  const delayed = new Set()
  const resting = new Set() // idle workers, the one idle for longest first
  const busy = new Set()
  let tasks = 0
  let names = 0
  let closing

  const after = (ms, action) => (ms === Infinity ? undefined : clock.setTimeout(action, ms))
  const stop = (timer) => {
    if (timer !== undefined) clock.clearTimeout(timer)
  }

  function join(task) {
    const place = line.findIndex((other) => other.priority < task.priority || (other.priority === task.priority && other.number > task.number))
    line.splice(place < 0 ? line.length : place, 0, task)
  }

  function choose(task) {
    const others = [...resting].filter((worker) => worker !== task.failedBy)
    const known = task.key === undefined ? undefined : others.find((worker) => worker.used && Object.is(worker.key, task.key))
    const chosen = known ?? others[0]
    if (chosen || resting.size + busy.size < size) return chosen ?? 'new'
    return resting.has(task.failedBy) ? task.failedBy : undefined
  }

  function hire() {
    const worker = { name: `w${++names}`, number: names }
    worker.handle = spawn(worker.name, { reply: (message) => replied(worker, message), exit: (code) => exited(worker, code) })
    return worker
  }

  function serve() {
    while (line.length > 0) {
      const chosen = choose(line[0])
      if (!chosen) break
      assign(line.shift(), chosen)
    }
    for (const worker of resting) worker.timer ??= after(idle, () => {
      worker.timer = undefined
      retire(worker)
    })
  }

  function assign(task, chosen) {
    task.attempt++
    let worker = chosen
    if (chosen === 'new') {
      try {
        worker = hire()
      } catch (error) {
        failed(task, `cannot spawn: ${error.message}`, { name: `w${names}` })
        return
      }
    }
    resting.delete(worker)
    stop(worker.timer)
    Object.assign(worker, { task, key: task.key, used: true, timer: undefined })
    busy.add(worker)
    try {
      worker.handle.post({ task: task.number, attempt: task.attempt, kind: task.kind, data: task.data })
    } catch (error) {
      drop(worker)
      worker.handle.kill()
      failed(task, `cannot post: ${error.message}`, worker)
      return
    }
    worker.timer = after(task.timeout, () => {
      worker.timer = undefined
      drop(worker)
      worker.handle.kill()
      failed(task, `timed out after ${task.timeout} ms`, worker)
      settle()
    })
  }

  /** Forgets a worker; what it says later is ignored. */
  function drop(worker) {
    stop(worker.timer)
    worker.timer = undefined
    worker.task = undefined
    worker.gone = true
    busy.delete(worker)
    resting.delete(worker)
  }

  function retire(worker) {
    drop(worker)
    worker.handle.kill()
  }

  function failed(task, message, worker) {
    if (task.attempt >= task.attempts || closing) {
      task.reject(new TaskError(message, task.number, task.attempt, worker.name))
      return
    }
    task.failedBy = worker
    const wait = backoff * 2 ** (task.attempt - 1)
    if (wait === 0) {
      join(task)
      return
    }
    delayed.add(task)
    task.timer = clock.setTimeout(() => {
      delayed.delete(task)
      join(task)
      serve()
    }, wait)
  }

  function replied(worker, { task: number, attempt, ok, value }) {
    const { task } = worker
    if (worker.gone || !task || task.number !== number || task.attempt !== attempt) return
    stop(worker.timer)
    worker.timer = undefined
    worker.task = undefined
    busy.delete(worker)
    if (ok) task.resolve(value)
    else failed(task, String(value), worker)
    if (closing) retire(worker)
    else resting.add(worker)
    settle()
  }

  function exited(worker, code) {
    if (worker.gone) return
    const { task } = worker
    drop(worker)
    if (task) failed(task, `worker exited with ${code}`, worker)
    settle()
  }

  function settle() {
    serve()
    if (closing && busy.size === 0) closing.resolve()
  }

  function submit(kind, data, { priority = 0, key, attempts: own = attempts, timeout: limit = timeout } = {}) {
    return new Promise((resolve, reject) => {
      if (closing) throw new ClosedError()
      checkAttempts(own)
      checkTimeout(limit)
      join({ number: ++tasks, attempt: 0, kind, data, priority, key, attempts: own, timeout: limit, resolve, reject })
      serve()
    })
  }

  function close() {
    if (closing) return closing.promise
    closing = {}
    closing.promise = new Promise((resolve) => {
      closing.resolve = resolve
    })
    const refused = [...line.splice(0), ...delayed].sort((a, b) => a.number - b.number)
    delayed.clear()
    for (const task of refused) {
      stop(task.timer)
      task.reject(new ClosedError())
    }
    for (const worker of [...resting].sort((a, b) => a.number - b.number)) retire(worker)
    settle()
    return closing.promise
  }

  return { submit, close, stats: () => ({ idle: resting.size, busy: busy.size, waiting: line.length, delayed: delayed.size }) }
}
