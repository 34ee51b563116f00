import { load, observe, play } from './bench.mjs'

const { createScheduler } = await load('src/scheduler.js')

observe('idle', await play(createScheduler, { size: 3, idle: 100 }, [['submit', 'a'], ['submit', 'b'], ['ok', 'w1', 1], ['pass', 60], ['ok', 'w2', 2], ['pass', 39], ['submit', 'c'], ['pass', 61], ['submit', 'd'], ['ok', 'w1', 3], ['pass', 100], ['ok', 'w3', 4], ['exit', 'w3', 0], ['pass', 100], ['submit', 'e']]))
observe('broken', await play(createScheduler, { size: 2, attempts: 3, broken: ['w1', 'w3', 'w4', 'w5'] }, [['submit', 'a', { bad: 'w2' }], ['submit', 'b'], ['submit', 'c', 0, { attempts: 1 }], ['submit', 'd', { bad: 'w7' }, { attempts: 1 }], ['ok', 'w6', 1]]))
observe('close', await play(createScheduler, { size: 3, attempts: 3, backoff: 7, timeout: 500, idle: 900 }, [['submit', 'a'], ['submit', 'b'], ['submit', 'c'], ['submit', 'd'], ['submit', 'e', 0, { priority: 3 }], ['bad', 'w2', 'x'], ['bad', 'w1', 'y'], ['ok', 'w2', 'E'], ['close'], ['submit', 'f', 0, { attempts: 0 }], ['bad', 'w3', 'z'], ['close'], ['ok', 'w1', 'D'], ['pass', 1000]]))
observe('close_idle', await play(createScheduler, { size: 3, idle: 40, timeout: 9 }, [['submit', 'a'], ['submit', 'b'], ['submit', 'c'], ['ok', 'w3', 1], ['ok', 'w1', 2], ['close'], ['pass', 9], ['exit', 'w2', 1]]))
observe('close_empty', await play(createScheduler, { size: 1 }, [['close'], ['close'], ['submit', 'a']]))
