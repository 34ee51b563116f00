import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod'

export const root = resolve(import.meta.dirname, '..', '..')
const run = promisify(execFile)

/** Runs a program in the repository and gives what it wrote to stdout. Throws with what it wrote to stderr when it fails. */
export async function execute(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<string> {
  try {
    return (await run(program, args, { cwd: root, env, maxBuffer: 64 * 1024 * 1024 })).stdout.trim()
  } catch (error) {
    const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string } // as execFile rejects
    throw new Error(`${program} ${args.join(' ')}\n${`${stdout}\n${stderr}`.trim().slice(-4000)}`, { cause: error })
  }
}

export const docker = (...args: string[]): Promise<string> => execute('docker', args)

export type Build = { tag: string; builder: string | undefined; network: string | undefined }

/** Builds the agent's image as its Dockerfile says. */
export async function buildImage({ tag, builder, network }: Build): Promise<void> {
  const options = [...(network ? ['--network', network] : []), ...(builder ? ['--build-arg', `BUILDER=${builder}`] : [])]
  await docker('build', ...options, '-f', join('fleet', 'Dockerfile'), '-t', tag, '.')
}

const Inspected = z.tuple([
  z.object({ Size: z.number(), Config: z.object({ User: z.string(), Entrypoint: z.array(z.string()), Cmd: z.array(z.string()) }) }),
])
const Layer = z.object({ Size: z.string(), CreatedBy: z.string() })

/** Size in bytes, user, command and layers of an image. */
export async function describeImage(tag: string) {
  const [{ Size: bytes, Config }] = Inspected.parse(JSON.parse(await docker('image', 'inspect', tag)))
  const lines = (await docker('history', '--no-trunc', '--format', '{{json .}}', tag)).split('\n')
  const layers = lines.map((line) => Layer.parse(JSON.parse(line))).filter(({ Size }) => Size !== '0B')
  return { bytes, user: Config.User, command: [...Config.Entrypoint, ...Config.Cmd].join(' '), layers }
}

/** How an agent's container is: docker's words for its state and its health check, and the exit code. */
export async function stateOf(container: string): Promise<{ state: string; health: string; exitCode: number }> {
  const [state = '', health = '', code = ''] = (
    await docker(
      'inspect',
      '--format',
      '{{.State.Status}} {{if .State.Health}}{{.State.Health.Status}}{{else}}none{{end}} {{.State.ExitCode}}',
      container,
    )
  ).split(' ')
  return { state, health, exitCode: Number(code) }
}

export type Compose = (...args: string[]) => Promise<string>

/** Docker Compose for the fleet's file and an override. `program`: Compose with its first words. */
export const openCompose = (program: readonly string[], project: string, override: string, env: NodeJS.ProcessEnv): Compose => {
  const [name, ...words] = [...program, '-p', project, '-f', join(root, 'fleet.compose.yml'), '-f', override]
  return (...more) => execute(name!, [...words, ...more], env)
}
