import { load, observe, play } from './bench.mjs'

const { createScheduler } = await load('src/scheduler.js')

observe('backoff', await play(createScheduler, { size: 1, attempts: 4, backoff: 10 }, [['submit', 'a'], ['submit', 'b'], ['bad', 'w1', 'one'], ['pass', 9], ['pass', 1], ['ok', 'w1', 'B'], ['bad', 'w1', { two: 2 }], ['pass', 19], ['pass', 1], ['bad', 'w1', undefined], ['pass', 39], ['pass', 1], ['bad', 'w1', 'four']]))
observe('others', await play(createScheduler, { size: 2, attempts: 3 }, [['submit', 'a', 0, { key: 'k' }], ['bad', 'w1', 'x'], ['submit', 'b', 0, { key: 'k' }], ['bad', 'w2', 'y'], ['bad', 'w1', 'z'], ['ok', 'w2', 1], ['ok', 'w1', 2]]))
observe('places', await play(createScheduler, { size: 1, attempts: 2 }, [['submit', 'a'], ['submit', 'b', 0, { priority: 1 }], ['submit', 'c'], ['bad', 'w1', 'x'], ['bad', 'w1', 'y'], ['bad', 'w1', 'z'], ['ok', 'w1', 1], ['exit', 'w1', 3], ['ok', 'w2', 4]]))
observe('timeouts', await play(createScheduler, { size: 2, attempts: 2, timeout: 30, backoff: 5 }, [['submit', 'a'], ['pass', 10], ['submit', 'b'], ['submit', 'c'], ['pass', 20], ['ok', 'w1', 'late'], ['pass', 5], ['ok', 'w2', 'B'], ['pass', 29], ['ok', 'w3', 'C'], ['pass', 100]]))
observe('exits', await play(createScheduler, { size: 2, attempts: 2, timeout: 30 }, [['submit', 'a'], ['submit', 'b'], ['submit', 'c'], ['exit', 'w1', 137], ['exit', 'w1', 1], ['exit', 'w3', 'SIGTERM'], ['ok', 'w2', 2], ['ok', 'w4', 3]]))
