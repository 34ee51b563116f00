import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { type CountingEndpoint, startCountingEndpoint } from '#db/embedded/counting-endpoint.ts'
import { startNeonEndpoint } from '#db/embedded/neon-endpoint.ts'
import { startPostgres } from '#db/embedded/postgres.ts'
import { buildIfChanged } from '#edge/local/build.ts'
import { startHost } from '#edge/local/host.ts'
import { sampleIdentities } from '#fleet/dataset/sample-identities.ts'

export const root = resolve(import.meta.dirname, '..', '..')

export type Service = AsyncDisposable & { url: string; secrets: NodeJS.Dict<string>; database: CountingEndpoint; env: NodeJS.ProcessEnv }

/** The commands of a step of DEPLOY.md. */
export function commandsOf(step: string): string {
  const text = readFileSync(join(root, 'DEPLOY.md'), 'utf8')
  const found = new RegExp(`^## \\d+\\. ${step}\n[\\s\\S]*?\`\`\`sh\n([\\s\\S]*?)\`\`\``, 'm').exec(text)
  if (!found) throw new Error(`DEPLOY.md has no step "${step}" with commands.`)
  return found[1]!
}

/** Runs a command in `cwd` and gives what it wrote. Throws with it when the command fails. */
export async function sh(command: string, cwd: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const child = spawn('sh', ['-e', '-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk))
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${command}\nended with ${code}:\n${said}`)
  return said
}

/** A deployment as DEPLOY.md makes it, but for Cloudflare itself: the built Worker outside local mode, its database so many milliseconds away. */
export async function startService(dir: string, delayMs: number, say: (line: string) => void): Promise<Service> {
  await using undo = new AsyncDisposableStack()
  const postgres = undo.adopt(await startPostgres({ dataDir: join(dir, 'postgres'), disposable: true }), (server) => server.stop())
  appendFileSync(join(dir, 'deploy.env'), `DATABASE_URL=${postgres.url}\n`, { mode: 0o600 })
  await sh(commandsOf('Make the secrets'), dir)
  say('step 3: secrets made')
  const migrate = `"${process.execPath}" db/migrate.ts --secrets-file "${join(dir, 'deploy.env')}"`
  say(`step 4: ${(await sh(migrate, root)).trim()} ${(await sh(migrate, root)).trim()}`)
  say(`step 5: build ${await buildIfChanged(root, join(dir, 'build.log'), () => undefined)}`)
  const demo = fork(join(root, 'fleet', 'cli', 'demo-model.ts'), { stdio: 'ignore', env: { ...process.env, BENCH_DATA: dir } })
  undo.defer(() => end(demo))
  const [{ url: base_url }] = (await once(demo, 'message')) as [{ url: string }]
  const endpoint = undo.adopt(await startNeonEndpoint({ databaseUrl: postgres.url }), (one) => one.stop())
  const database = undo.adopt(await startCountingEndpoint(endpoint.url, () => pause(delayMs)), (one) => one.stop())
  const secrets = parseEnv(readFileSync(join(dir, 'deploy.env'), 'utf8'))
  const provider = { id: 'lab', label: 'Lab', kind: 'openai', base_url, models: ['demo-model'] }
  const bindings = {
    ...(secrets as Record<string, string>), // a parsed file has texts only
    NEON_ENDPOINT: database.url,
    PROVIDERS: JSON.stringify([provider]),
    SAMPLES: JSON.stringify(await sampleIdentities(join(root, 'shared', 'benchmarks'))),
  }
  const config = { server_dir: join(root, 'dist', 'server'), data_dir: dir, port: 0, bindings }
  const host = undo.adopt(await startHost(config, () => undefined), (one) => one.stop())
  const listed = JSON.stringify([{ id: 'lab', base_url, models: ['demo-model'] }])
  const env = {
    ...process.env,
    BENCH_URL: host.url,
    BENCH_EDGE_URL: host.url,
    BENCH_AGENT_TOKEN: secrets.AGENT_TOKEN,
    BENCH_PROVIDERS: listed,
    BENCH_DATA: dir,
  }
  const kept = undo.move()
  return { url: host.url, secrets, database, env, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** Ends a child process that was started here, and waits for it. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
