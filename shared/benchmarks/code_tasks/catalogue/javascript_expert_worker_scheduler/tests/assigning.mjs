import { load, observe, play } from './bench.mjs'

const { createScheduler } = await load('src/scheduler.js')

const refused = []
for (const options of [{}, { size: 0, attempts: 0 }, { size: '2' }, { size: 1.5 }, { size: 1, attempts: 0, backoff: -1 }, { size: 1, backoff: Infinity }, { size: 1, backoff: -1, timeout: 0 }, { size: 1, timeout: NaN, idle: 0 }, { size: 1, idle: '9' }, { size: 1, attempts: undefined, idle: Infinity, timeout: Infinity }]) {
  try { refused.push(Object.keys(createScheduler({ spawn() {}, clock: {}, ...options }).stats())) } catch (error) { refused.push(`${error.name}: ${error.message}`) }
}
observe('refused', refused)
observe('priorities', await play(createScheduler, { size: 1 }, [['submit', 'a', 1], ['submit', 'b', [2], { priority: 1 }], ['submit', 'c'], ['submit', 'd', null, { priority: 2 }], ['submit', 'e', 0, { priority: 1 }], ['submit', 'f', 0, { priority: -1 }], ['ok', 'w1', 'A'], ['ok', 'w1'], ['ok', 'w1', { x: [1] }], ['ok', 'w1', null], ['ok', 'w1', 5], ['ok', 'w1', 6], ['submit', 'g']]))
observe('keys', await play(createScheduler, { size: 3 }, [['submit', 'a', 0, { key: 'k' }], ['submit', 'b', 0, { key: NaN }], ['submit', 'c'], ['ok', 'w2', 1], ['ok', 'w3', 2], ['ok', 'w1', 3], ['submit', 'd', 0, { key: 'k' }], ['submit', 'e', 0, { key: NaN }], ['ok', 'w1', 4], ['submit', 'f'], ['submit', 'g', 0, { key: 'k' }], ['submit', 'h', 0, { key: 'k' }], ['ok', 'w2', 5], ['ok', 'w3', 6], ['ok', 'w2', 7], ['ok', 'w1', 8], ['submit', 'i', 0, { key: 0 }], ['submit', 'j', 0, { key: null }], ['ok', 'w3', 9], ['submit', 'l', 0, { key: -0 }]]))
observe('own', await play(createScheduler, { size: 2, attempts: 2, timeout: 50 }, [['submit', 'a', 0, { attempts: 0, timeout: 0 }], ['submit', 'b', 0, { timeout: '5' }], ['submit', 'c', 0, { attempts: 1, timeout: 20 }], ['submit', 'd', 0, { timeout: Infinity }], ['pass', 20], ['bad', 'w2', 'x'], ['pass', 1000], ['ok', 'w3', 1]]))
observe('strangers', await play(createScheduler, { size: 2, attempts: 2 }, [['submit', 'a'], ['reply', 'w1', { task: 2, attempt: 1, ok: true, value: 1 }], ['reply', 'w1', { task: 1, attempt: 2, ok: true, value: 2 }], ['bad', 'w1', 'first'], ['reply', 'w1', { task: 1, attempt: 1, ok: true, value: 3 }], ['reply', 'w2', { task: 1, attempt: 1, ok: true, value: 4 }], ['ok', 'w2', 5], ['ok', 'w2', 6], ['submit', 'b'], ['exit', 'w1', 0], ['reply', 'w1', { task: 2, attempt: 1, ok: true, value: 7 }], ['ok', 'w2', 8]]))
