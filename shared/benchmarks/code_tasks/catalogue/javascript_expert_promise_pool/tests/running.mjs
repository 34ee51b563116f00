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
  const b = bench({ concurrency: 2 })
  for (const [name, priority] of [['a'], ['b'], ['c'], ['d', 1], ['e', 1], ['f', -1], ['g'], ['h', 2]]) b.run(name, { priority })
  const steps = [b.log.slice(), await b.look()]
  for (const name of ['b', 'a', 'h', 'd', 'e', 'c', 'g', 'f']) {
    b.end(name)
    steps.push(await b.look())
  }
  observe('order', steps)
}
{
  const b = bench({ concurrency: 3, perKey: 1 })
  for (const [name, key, priority] of [['a', 'x'], ['b', 'x', 5], ['c', 'y'], ['d', 'x'], ['e', undefined], ['f', undefined], ['g', 'y', 9], ['h', NaN], ['i', NaN], ['j', null], ['k', null]]) b.run(name, { key, priority })
  const steps = [await b.look()]
  for (const name of ['e', 'a', 'c', 'b', 'g', 'f', 'h', 'd', 'j', 'i', 'k']) {
    b.end(name)
    steps.push(await b.look())
  }
  observe('keys', steps)
}
{
  const order = []
  const pool = createPool({ concurrency: 1 })
  const first = pool.run(() => 1).then(() => order.push('first settled'))
  const second = pool.run(() => { order.push('second begins') }).then(() => order.push('second settled'))
  const third = pool.run(() => { order.push('third begins'); throw new Error('third') }).catch(() => order.push('third settled'))
  order.push('called')
  await Promise.all([first, second, third, pool.idle().then(() => order.push('idle'))])
  const before = (a, b) => order.indexOf(a) < order.indexOf(b)
  observe('microtasks', [order.length, order[0], order.at(-1), before('second begins', 'first settled'), before('third begins', 'second settled'), before('first settled', 'second settled'), pool.stats()])
}
{
  const b = bench({ concurrency: 2 })
  b.pool.pause()
  for (const name of 'abcde') b.run(name)
  const steps = [await b.look()]
  b.pool.resume()
  steps.push(await b.look())
  b.pool.resize(4)
  steps.push(await b.look())
  b.pool.resize(1)
  b.end('a')
  b.end('b')
  b.end('c')
  steps.push(await b.look())
  b.pool.pause()
  b.watch('idle', b.pool.idle())
  b.end('d')
  steps.push(await b.look())
  b.pool.resume()
  steps.push(await b.look())
  b.end('e')
  steps.push(await b.look())
  b.pool.resize(Infinity)
  for (const name of 'uvwxyz') b.run(name)
  steps.push(await b.look())
  observe('pausing', steps)
}
{
  let running = 0, most = 0
  const keyed = new Map()
  let mostKeyed = 0
  const pool = createPool({ concurrency: 7, perKey: 2 })
  const results = await Promise.all(Array.from({ length: 300 }, (_, index) => pool.run(async () => {
    const key = index % 9
    most = Math.max(most, ++running)
    keyed.set(key, (keyed.get(key) ?? 0) + 1)
    mostKeyed = Math.max(mostKeyed, keyed.get(key))
    for (let turn = 0; turn < index % 6; turn++) await null
    if (index % 5 === 0) await tick()
    running--
    keyed.set(key, keyed.get(key) - 1)
    return index * index
  }, { key: index % 9, priority: index % 4 })))
  observe('crowd', [most, mostKeyed, results.reduce((a, b) => a + b, 0), pool.stats()])
}
{
  const b = bench({ concurrency: 2 })
  const taken = []
  function* items() { try { for (const item of 'pqrstu') { taken.push(item); yield item } } finally { taken.push('closed') } }
  b.watch('map', b.pool.map(items(), (item, index, state) => b.task(`${item}${index}`)(state), { priority: 3 }))
  const steps = [[await b.look(), taken.splice(0)]]
  for (const name of ['q1', 'p0', 'r2', 's3', 'u5', 't4']) { b.end(name); steps.push([await b.look(), taken.splice(0)]) }
  observe('map', steps)
  async function* slowly() { for (let n = 1; n <= 4; n++) { await tick(); yield n } }
  observe('map_async', [await b.pool.map(slowly(), (n) => n * 10), await b.pool.map([], () => 1), await b.pool.map(new Set('ab'), async (text, index) => text + index), await b.pool.map([Promise.resolve(1)], async (value) => (await value) + 1)])
}
