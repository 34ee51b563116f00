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

const errors = []
for (const options of [{}, { concurrency: 0 }, { concurrency: 1.5 }, { concurrency: '2' }, { concurrency: NaN, perKey: 0 }, { concurrency: 1, perKey: 0 }, { concurrency: 1, perKey: -1, maxQueue: -1 }, { concurrency: 1, maxQueue: -1 }, { concurrency: 1, maxQueue: 0.5 }, { concurrency: Infinity, perKey: Infinity, maxQueue: 0 }]) {
  try { createPool(options); errors.push('made') } catch (error) { errors.push(said(error)) }
}
const some = createPool({ concurrency: 1 })
for (const n of [0, -1, 'x']) { try { some.resize(n) } catch (error) { errors.push(said(error)) } }
observe('refused', errors)
{
  const b = bench({ concurrency: 1 })
  b.watch('none', b.pool.run())
  b.watch('text', b.pool.run('task'))
  b.watch('sync', b.pool.run(() => { throw new Error('sync') }))
  b.watch('later', b.pool.run(async () => { throw 'words' }))
  b.watch('undefined', b.pool.run(() => Promise.reject()))
  b.watch('value', b.pool.run(() => 5))
  b.watch('thenable', b.pool.run(() => ({ then: (resolve) => resolve('t') })))
  observe('throwing', await b.look())
}
{
  const b = bench({ concurrency: 1, maxQueue: 2 })
  for (const [name, priority] of [['a'], ['b'], ['c'], ['d'], ['e', 1], ['f', 1], ['g', 1], ['h', 2], ['i', 0]]) b.run(name, { priority })
  const steps = [await b.look()]
  b.end('a')
  steps.push(await b.look())
  b.run('j')
  b.run('k')
  steps.push(await b.look())
  b.pool.abort('end')
  steps.push(await b.look())
  const none = bench({ concurrency: 1, maxQueue: 0, perKey: 1 })
  for (const name of 'xy') none.run(name, { priority: name === 'y' ? 9 : 0 })
  steps.push(await none.look())
  none.end('x')
  await none.look()
  none.run('z')
  steps.push(await none.look())
  observe('queue', steps)
}
{
  const b = bench({ concurrency: 2 })
  const taken = []
  function* items() { try { for (const item of 'pqrstu') { taken.push(item); yield item } } finally { taken.push('closed') } }
  b.watch('map', b.pool.map(items(), (item, _, state) => b.task(item)(state)))
  const steps = [await b.look()]
  b.end('p')
  steps.push(await b.look())
  b.fail('q', new Error('torn'))
  steps.push([await b.look(), taken])
  b.end('r')
  steps.push(await b.look())
  observe('map_failing', steps)
}
{
  const b = bench({ concurrency: 2 })
  const collect = (error) => [said(error), error.errors?.map(said)]
  const odd = (n) => { if (n % 2) throw new Error(`odd ${n}`); return n }
  observe('map_all', [await b.pool.map([1, 2, 3, 4], odd, { stopOnError: false }).catch(collect), await b.pool.map([2, 4], odd, { stopOnError: false }), await b.pool.map([2, 3, 5], odd).catch(collect)])
  function* torn() { yield 2; throw new Error('torn iterator') }
  observe('map_iterator', [await b.pool.map(torn(), odd).catch(collect), await b.pool.map(torn(), odd, { stopOnError: false }).catch(collect)])
}
