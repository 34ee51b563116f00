import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { createModelClient, defaultTimeouts } from '#fleet/model/model-client.ts'

/** Prints µs of CPU per streamed call, of the client and of the simulator, against a simulator process of its own. */
const calls = Number(process.argv[2] ?? 20_000)
const wide = Number(process.argv[3] ?? 100)
const child = spawn(process.execPath, [new URL('./main.ts', import.meta.url).pathname], { stdio: ['ignore', 'pipe', 'inherit'] })
const [line] = await createInterface(child.stdout)
  [Symbol.asyncIterator]()
  .next()
  .then(({ value }) => [String(value)])
const { url }: { url: string } = JSON.parse(line ?? '{}')
const client = createModelClient({
  baseUrl: url,
  apiKey: 'sim-key',
  model: 'sim',
  kind: 'openai',
  connections: wide,
  timeouts: defaultTimeouts,
})
const params = { temperature: 0, top_p: null, max_tokens: 64, stop: null, seed: null, reasoning_effort: null }

async function simCpuUs(): Promise<number> {
  const used: NodeJS.CpuUsage = JSON.parse(await (await fetch(new URL('/_sim/cpu', url))).text())
  return used.user + used.system
}

async function burst(count: number): Promise<{ seconds: number; cpuUs: number }> {
  let left = count
  const from = performance.now()
  const cpu = process.cpuUsage()
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const result = await client.call(
        { messages: [{ role: 'user', content: `Question ${left}: which letter? Answer with (A)` }], params },
        null,
      )
      if (!result.ok) throw new Error(result.failure.reason)
    }
  }
  await Promise.all(Array.from({ length: wide }, worker))
  const used = process.cpuUsage(cpu)
  return { seconds: (performance.now() - from) / 1000, cpuUs: (used.user + used.system) / count }
}

await burst(Math.min(calls, 2000))
const before = await simCpuUs()
const { seconds, cpuUs } = await burst(calls)
const provider_cpu_us = ((await simCpuUs()) - before) / calls
console.log(JSON.stringify({ calls, wide, per_second: Math.round(calls / seconds), client_cpu_us: cpuUs, provider_cpu_us }))
await client.close()
child.kill('SIGTERM')
