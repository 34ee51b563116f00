import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { costOf, descendants } from './process-cost.ts'

/** Writes the bundle in workerd and reads it away. Seconds, MiB that came, and the most that workerd held beyond itself idle and in all. */
export async function writeInWorkerd(
  trials: string,
  bytes: string,
  heapMb: string,
): Promise<{ seconds: number; came_mb: number; more_mb: number; peak_mb: number }> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'bundle-worker.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    external: ['node:*'],
    target: 'es2024',
    logLevel: 'warning',
  })
  process.env.MINIFLARE_WORKERD_V8_FLAGS = `--max-old-space-size=${heapMb} --max-semi-space-size=4`
  const service = new Miniflare(
    convertV4MiniflareOptions({
      ...{ host: '127.0.0.1', port: 0, cf: false, log: new Log(LogLevel.ERROR), logRequests: false, telemetry: { enabled: false } },
      workers: [
        {
          name: 'bundle',
          modules: [{ type: 'ESModule', path: 'worker.js', contents: outputFiles[0]!.text }],
          compatibilityDate: '2026-10-01',
          compatibilityFlags: ['nodejs_compat'],
        },
      ],
    }),
  )
  try {
    const url = await service.ready
    const held = () =>
      Math.max(
        0,
        ...descendants(process.pid)
          .filter(isWorkerd)
          .map((pid) => costOf(pid).peak_mb),
      )
    const idle = held()
    const begun = performance.now()
    const response = await fetch(new URL(`/?trials=${trials}&bytes=${bytes}`, url))
    let came = 0
    for await (const piece of response.body ?? []) came += piece.length
    const peak = held()
    return { seconds: (performance.now() - begun) / 1000, came_mb: came / 2 ** 20, more_mb: peak - idle, peak_mb: peak }
  } finally {
    await service.dispose()
  }
}

function isWorkerd(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('workerd')
  } catch {
    return false
  }
}
