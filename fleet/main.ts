import { serveAgent } from './serve-agent.ts'

/** The agent of `npm start` as a process of its own. */
const stop = new AbortController()
// A signal often comes twice, from the terminal and from a parent; draining ends by itself in half a minute.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort())
process.once('disconnect', () => stop.abort())
const form = process.stdout.isTTY ? 'plain' : 'json'
process.exit(await serveAgent(process.env, { form, write: (line) => console.log(line), stop: stop.signal }))
