import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Run } from '#shared/contract/api.ts'
import { persist } from '../chaos/api.ts'
import { root, type Service, sh, startService } from '../deploy/service.ts'
import { type Compose, docker, openCompose } from '../image/docker.ts'
import { cli, executeTask, failuresOf, packTask, runOf, startRun, untilEnded, untilProved, type Visitor, visit } from './journey.ts'
import type { FleetImages } from './make-images.ts'
import { findRemains, type Held, whatIsHeld } from './remains.ts'

export type PlayOptions = { dir: string; images: FleetImages; program: readonly string[]; say(line: string): void }

/**
 * The image that the example tasks of `terminal_tasks` start from; the engine gets our stand-in
 * under this name.
 */
const examplesImage = 'python:3.12-slim-bookworm'
const engineSocket = 'unix:///run/engine/docker.sock'

/**
 * Starts a deployed service and, by `fleet.compose.yml` with the profile `full`, an agent with an
 * engine of its own. Runs code tasks, terminal tasks and an uploaded task, kills the engine during
 * a run, starts it again, and takes all of it down. Gives what is not as it should be, a sentence
 * each.
 */
export async function playFleet(options: PlayOptions): Promise<string[]> {
  const { dir, say } = options
  mkdirSync(dir, { recursive: true })
  const project = `bench-fleet-${process.pid}`
  await using service = await startService(dir, 0, say)
  const compose = composeFor(options, service, project)
  let held: Held | undefined
  const breaches: string[] = []
  try {
    await compose('up', '--detach', '--no-build', '--wait', 'engine')
    say('the engine answers')
    await loadImages(options.images, project)
    await compose('up', '--detach', '--no-build')
    const visitor = await visit(service, dir)
    for (const proof of await untilProved(visitor, ['docker', 'machine'])) say(`${proof.kind}: ${proof.ok ? 'proved' : 'not proved'}`)
    breaches.push(...(await everyBenchmark(options, visitor)))
    breaches.push(...(await killedAgent(options, visitor, compose)))
    breaches.push(...(await killedEngine(options, visitor, compose)))
    held = await whatIsHeld(project)
    breaches.push(...held.foreignSockets)
  } catch (error) {
    await compose('down', '--volumes', '--timeout', '40')
    throw error
  }
  await compose('down', '--timeout', '40')
  const kept = await findRemains(project, held)
  say(`after down: ${kept.running.length} things of it left, volumes ${kept.volumes.join(', ')}`)
  breaches.push(...kept.running)
  await compose('down', '--volumes')
  const { running, volumes } = await findRemains(project, held)
  breaches.push(...running, ...volumes.map((name) => `down --volumes left the volume ${name}`))
  return breaches
}

/**
 * The fleet's file with local images. Service and model listen on this host's loopback, so that the
 * agent has its network; the engine has a network of nobody.
 */
function composeFor({ dir, images, program }: PlayOptions, service: Service, project: string): Compose {
  const entry = join(dir, 'dockerd-entrypoint.sh')
  writeFileSync(entry, '#!/bin/sh\nexec docker-init -- "$@"\n')
  chmodSync(entry, 0o755)
  const override = join(dir, 'override.json') // JSON is YAML
  const services = {
    agent: { image: images.agent, network_mode: 'host', environment: { BENCH_AGENT_ID: 'fleet' } },
    engine: {
      image: images.engine,
      entrypoint: ['sh', '/start-engine.sh'],
      network_mode: 'none',
      volumes: [`${entry}:/usr/local/bin/dockerd-entrypoint.sh:ro`, `${join(root, 'fleet/engine/start-engine.sh')}:/start-engine.sh:ro`],
    },
    programs: { image: images.engine, network_mode: 'none' },
  }
  writeFileSync(override, JSON.stringify({ services }))
  return openCompose([...program, '--profile', 'full'], project, override, {
    ...process.env,
    BENCH_EDGE_URL: service.url,
    BENCH_AGENT_TOKEN: service.secrets.AGENT_TOKEN,
    BENCH_PROVIDERS: service.env.BENCH_PROVIDERS,
    BENCH_SANDBOX_IMAGE: images.programs,
    BENCH_DATA_DIR: '',
    CHUTES_API_KEY: '',
    OPENAI_BASE_URL: '',
  })
}

const engineOf = (project: string): Promise<string> =>
  docker('ps', '-q', '--filter', `label=com.docker.compose.project=${project}`, '--filter', 'label=com.docker.compose.service=engine')

/** Copies images of this host's engine, in place of a registry. */
async function loadImages({ programs, tasks }: FleetImages, project: string): Promise<void> {
  const inside = `docker exec -i ${await engineOf(project)} docker --host ${engineSocket}`
  await sh(`docker save ${programs} ${tasks} | ${inside} load && ${inside} tag ${tasks} ${examplesImage}`, root)
}

const tally = ({ status, head }: Run): string =>
  `${status}, ${Object.entries(head.benchmarks)
    .map(([name, { right, wrong, failed }]) => `${name} ${right} right ${wrong} wrong ${failed} failed`)
    .join(', ')}`

/** Runs the catalogue's reference solutions, the example tasks and an uploaded task. */
async function everyBenchmark({ images, say }: PlayOptions, visitor: Visitor): Promise<string[]> {
  const breaches: string[] = []
  const expect = async (what: string, run: Run, wanted: string): Promise<void> => {
    say(`${what}: ${tally(run)}`)
    for (const why of await failuresOf(visitor, run.id)) say(`  ${why}`)
    if (tally(run) !== wanted) breaches.push(`${what} ended as ${tally(run)}, not as ${wanted}`)
  }
  await cli(visitor, `tasks reference "${join(root, 'shared/benchmarks/code_tasks/catalogue')}" > "${join(visitor.dir, 'answers.jsonl')}"`)
  const code = await startRun(visitor, `-b code_tasks -m reference --response-file "${join(visitor.dir, 'answers.jsonl')}"`)
  const codeRun = await untilEnded(visitor, code, 900_000)
  await expect('code tasks', codeRun, `succeeded, code_tasks ${codeRun.head.total} right 0 wrong 0 failed`)
  const terminal = await startRun(visitor, '-b terminal_tasks -m reference --profile oracle')
  const terminalRun = await untilEnded(visitor, terminal, 600_000)
  await expect('terminal tasks', terminalRun, `succeeded, terminal_tasks ${terminalRun.head.total} right 0 wrong 0 failed`)
  const file = await packTask(visitor.dir, 'count-lines', images.tasks)
  for (const [agent, wanted] of [
    ['oracle', '2 right 0 wrong 0 failed'],
    ['nop', '0 right 2 wrong 0 failed'],
  ] as const) {
    const run = await untilEnded(visitor, await executeTask(visitor, file, `--agent ${agent} -k 2`))
    await expect(`upload, ${agent}`, run, `succeeded, terminal_tasks ${wanted}`)
  }
  return breaches
}

/** Starts episodes that work for ten minutes, and waits for the first of them; the run and its container. */
async function workForLong({ images }: PlayOptions, visitor: Visitor, inside: string, epochs: number) {
  const slow = await packTask(visitor.dir, 'count-lines', images.tasks, (path, text) =>
    path === 'solution/solve.sh' ? text.replace('set -eu', 'set -eu\nsleep 600') : text,
  )
  const run = await executeTask(visitor, slow, `--agent oracle -k ${epochs}`)
  const container = await persist('an episode at work', async () => {
    const [id] = await newest(inside)
    const said = id === undefined ? '' : await docker('exec', inside, 'docker', '--host', engineSocket, 'top', id).catch(() => '')
    return said.includes('sleep 600') ? id : undefined
  })
  return { run, container }
}

/** Kills the agent while an episode is at work: once it is started again, nothing of the episode runs. */
async function killedAgent(options: PlayOptions, visitor: Visitor, compose: Compose): Promise<string[]> {
  const inside = await compose('ps', '-q', 'engine')
  const { run, container } = await workForLong(options, visitor, inside, 1)
  await compose('kill', 'agent')
  await cli(visitor, `cancel ${run}`)
  const left = (await running(inside)).includes(container)
  await compose('up', '--detach', '--no-build')
  await untilProved(visitor, ['docker', 'machine'])
  await persist('the end of what the agent left', async () => !(await running(inside)).includes(container) || undefined)
  options.say(`the agent was killed; its environment ${left ? 'ran on until the agent was back' : 'had ended'}`)
  return left ? [] : ['nothing shows that a killed agent leaves its environments']
}

/** Containers that run at the engine. */
const running = async (inside: string): Promise<string[]> =>
  (await docker('exec', inside, 'docker', '--host', engineSocket, 'ps', '-q')).split('\n').filter(Boolean)

/**
 * Kills the engine while episodes are at work: they fail and score nothing. With the engine back, the
 * next run ends well.
 */
async function killedEngine(options: PlayOptions, visitor: Visitor, compose: Compose): Promise<string[]> {
  const { images, say } = options
  const breaches: string[] = []
  const inside = await compose('ps', '-q', 'engine')
  const { run: id } = await workForLong(options, visitor, inside, 2)
  await compose('kill', 'engine')
  say('the engine was killed')
  const run = await untilEnded(visitor, id, 600_000)
  say(`run without an engine: ${tally(run)}, score ${run.overall_score}`)
  for (const why of await failuresOf(visitor, id)) say(`  ${why}`)
  const { right, wrong, failed } = run.head.benchmarks.terminal_tasks!
  if (right + wrong > 0 || failed !== 2 || run.overall_score !== null) breaches.push(`a run whose engine was killed ended as ${tally(run)}`)
  await compose('up', '--detach', '--no-build', '--wait', 'engine')
  const again = await executeTask(visitor, await packTask(visitor.dir, 'count-lines', images.tasks), '--agent oracle -k 1')
  await untilEnded(visitor, again)
  const after = await runOf(visitor, again)
  say(`run with the engine back: ${tally(after)}`)
  if (after.head.benchmarks.terminal_tasks?.right !== 1) breaches.push(`with the engine back a run ended as ${tally(after)}`)
  return breaches
}

/** The newest container of the engine, as words for a command; none where there is none. */
const newest = async (inside: string): Promise<string[]> =>
  (await docker('exec', inside, 'docker', '--host', engineSocket, 'ps', '-q', '--last', '1')).split('\n').filter(Boolean)
