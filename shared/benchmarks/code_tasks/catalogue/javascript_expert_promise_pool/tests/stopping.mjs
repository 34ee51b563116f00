import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const stringify = JSON.stringify
const observe = (name, value) => writeSync(1, `\n@@ ${name} ${stringify(value)}\n`)
const load = (path) => import(pathToFileURL(join(process.cwd(), path)).href)

const { createPool, QueueFullError } = await load('src/pool.js')

const tick = () => new Promise((resolve) => setImmediate(resolve))
const said = (error) => (error instanceof QueueFullError ? 'full' : error instanceof Error ? `${error.name}: ${error.message}` : `thrown ${error}`)

/** A pool whose tasks end when we say so, with a log of what happened. */
function bench(options) {
  const pool = createPool(options)
  const log = []
  const held = new Map()
  const task = (name) => ({ signal }) => {
    log.push(`begin ${name}`)
    signal.addEventListener('abort', () => log.push(`abort ${name} ${said(signal.reason)}`))
    return new Promise((resolve, reject) => held.set(name, { resolve, reject }))
  }
  const watch = (name, promise) => void promise.then((value) => log.push(`ok ${name} ${stringify(value)}`), (error) => log.push(`bad ${name} ${said(error)}`))
  const run = (name, more) => watch(name, pool.run(task(name), more))
  const end = (name, value = name) => held.get(name).resolve(value)
  const fail = (name, error) => held.get(name).reject(error)
  const look = async () => {
    await tick()
    const { running, waiting, done, failed } = pool.stats()
    return [log.splice(0), running, waiting, done, failed]
  }
  return { pool, log, task, run, watch, end, fail, look }
}

{
  const b = bench({ concurrency: 1, perKey: 1 })
  const stop = { a: new AbortController(), b: new AbortController(), c: new AbortController() }
  for (const name of 'abc') b.run(name, { signal: stop[name].signal, key: 'k' })
  b.run('d', { key: 'k' })
  b.run('never', { signal: AbortSignal.abort(new Error('before')) })
  const steps = [await b.look()]
  stop.b.abort(new Error('waiting'))
  steps.push(b.log.slice(), await b.look())
  stop.a.abort('running')
  steps.push(await b.look())
  b.end('a')
  steps.push(await b.look())
  b.end('c')
  stop.c.abort('late')
  steps.push(await b.look())
  stop.c.abort('later')
  b.end('d')
  steps.push(await b.look())
  observe('signals', steps)
}
{
  const counts = []
  for (const how of ['ok', 'fail', 'abort', 'waiting', 'pool']) {
    const b = bench({ concurrency: 1 })
    const controller = new AbortController()
    const { signal } = controller
    let listeners = 0
    const add = signal.addEventListener.bind(signal), remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...given) => { listeners++; add(...given) }
    signal.removeEventListener = (...given) => { listeners--; remove(...given) }
    if (how === 'waiting') b.run('first')
    b.run('x', { signal })
    await tick()
    if (how === 'ok') b.end('x')
    if (how === 'fail') b.fail('x', 'no')
    if (how === 'abort' || how === 'waiting') controller.abort('stop')
    if (how === 'pool') b.pool.abort('all')
    counts.push([how, await b.look(), listeners <= 0 || signal.aborted])
  }
  observe('listeners', counts)
}
{
  const b = bench({ concurrency: 2, perKey: 1 })
  for (const [name, key, priority] of [['a', 'k'], ['b', 'k', 1], ['c', 'm'], ['d', 'm', 7], ['e', 'n'], ['f', 'k', 7]]) b.run(name, { key, priority })
  b.watch('idle', b.pool.idle())
  const steps = [await b.look()]
  b.pool.abort(new Error('storm'))
  steps.push(b.log.slice(), await b.look())
  b.run('g', { key: 'k' })
  b.run('h', { key: 'z' })
  steps.push(await b.look())
  b.end('a')
  b.fail('c', 'ignored')
  steps.push(await b.look())
  b.end('g')
  b.end('h')
  steps.push(await b.look())
  observe('abort', steps)
}
{
  const b = bench({ concurrency: 2 })
  const outer = new AbortController()
  const taken = []
  function* items() { try { for (const item of 'pqrstu') { taken.push(item); yield item } } finally { taken.push('closed') } }
  b.watch('map', b.pool.map(items(), (item, _, state) => b.task(item)(state), { signal: outer.signal }))
  const steps = [await b.look()]
  outer.abort(new Error('outer'))
  steps.push(await b.look(), taken)
  b.end('p')
  b.end('q')
  steps.push(await b.look(), taken)
  observe('map_signal', steps)
}
{
  const b = bench({ concurrency: 1 })
  b.run('a')
  const late = []
  b.pool.run(() => { late.push(b.pool.stats()); return b.pool.run(() => 1, { signal: AbortSignal.abort('inner') }).catch((error) => late.push(error)) })
  b.end('a')
  await tick()
  observe('nested', [late, await b.look(), await b.pool.idle().then(() => 'idle')])
}
