import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const stringify = JSON.stringify
export const observe = (name, value) => writeSync(1, `\n@@ ${name} ${stringify(value)}\n`)
const turn = setImmediate
setTimeout(() => process.exit(3), 40_000).unref()
export const load = (path) => import(pathToFileURL(join(process.cwd(), path)).href)
export const tick = () => new Promise((resolve) => turn(resolve))

/** Time that passes when it is told to. */
function manual() {
  let now = 0
  let next = 0
  const timers = new Map()
  return {
    setTimeout: (call, ms) => { timers.set(++next, { at: now + ms, call }); return next },
    clearTimeout: (id) => void timers.delete(id),
    pending: () => [...timers.values()].map(({ at }) => at).sort((a, b) => a - b),
    pass(ms) {
      const end = now + ms
      for (;;) {
        const due = [...timers].filter(([, { at }]) => at <= end).sort((a, b) => a[1].at - b[1].at || a[0] - b[0])[0]
        if (!due) break
        timers.delete(due[0])
        now = due[1].at
        due[1].call()
      }
      now = end
    },
  }
}

/** Carries out steps on a scheduler with workers that do what they are told. */
export async function play(createScheduler, options, steps) {
  const log = []
  const clock = manual()
  const workers = new Map()
  const broken = new Set(options.broken ?? [])
  const spawn = (name, on) => {
    log.push(`spawn ${name}`)
    if (broken.has(name)) throw new Error(`no ${name}`)
    const worker = { on, last: {} }
    workers.set(name, worker)
    return {
      post(message) {
        if (message.data?.bad === name) throw new Error('not a message')
        worker.last = message
        log.push(`${name} gets ${stringify(message)}`)
      },
      kill: () => log.push(`kill ${name}`),
    }
  }
  const scheduler = createScheduler({ ...options, spawn, clock })
  const told = (promise, name) => void promise.then(
    (value) => log.push(`${name} gives ${stringify(value)}`),
    (error) => log.push(`${name} fails: ${error.name} ${error.message} ${stringify([error.task, error.attempts, error.worker])}`),
  )
  const seen = []
  for (const [what, ...given] of steps) {
    if (what === 'submit') told(scheduler.submit(...given), given[0])
    else if (what === 'pass') clock.pass(given[0])
    else if (what === 'close') told(scheduler.close().then(() => 'closed'), 'close')
    else if (what === 'ok' || what === 'bad') { const { on, last } = workers.get(given[0]); on.reply({ task: last.task, attempt: last.attempt, ok: what === 'ok', value: given[1] }) }
    else if (what === 'reply') workers.get(given[0])?.on.reply(given[1])
    else workers.get(given[0])?.on.exit(given[1])
    const at_once = log.splice(0)
    await tick()
    const { idle, busy, waiting, delayed } = scheduler.stats()
    seen.push([at_once, log.splice(0), [idle, busy, waiting, delayed], clock.pending()])
  }
  return seen
}
