import { useProxies } from './proxy/use-proxies.ts'
import { serveAgent } from './serve-agent.ts'

/** The agent of `npm start` as a process of its own. */
const stop = new AbortController()
// A signal often comes twice, from the terminal and from a parent; draining ends by itself in half a minute.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort())
process.once('disconnect', () => stop.abort())
const misread = useProxies(process.env)
if (misread !== null) {
  console.error(misread)
  process.exit(2)
}
const form = process.stdout.isTTY ? 'plain' : 'json'
process.exit(await serveAgent(process.env, { form, write: (line) => console.log(line), stop: stop.signal }))
