import { serveAgent } from './serve-agent.ts'

/** The agent of `npm start` as a process of its own. */
const stop = new AbortController()
// A signal often comes twice, from the terminal and from a parent; draining ends by itself in half a minute.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort())
process.once('disconnect', () => stop.abort())
process.exit(await serveAgent(process.env, { log: (line) => console.log(`${new Date().toISOString()} ${line}`), stop: stop.signal }))
