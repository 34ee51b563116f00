import type { NotRunnableReason } from '../contract/task-upload.ts'
import { plannedCompose } from './compose/compose-of.ts'
import type { HostVariable, NetworkPolicy, TaskEnvironment, TaskStep } from './task.ts'
import type { EnvironmentConfig, TaskConfig } from './task-config.ts'
import { hostVariablesOf } from './task-env.ts'
import type { NotRunnable } from './task-problem.ts'
import type { NetworkPlan } from './verifier-place.ts'

/** One step as this file looks at it. `key`: where its settings stand. */
export type PlannedStep = { key: string; own_machine: EnvironmentConfig | null; network: NetworkPlan; trajectory: string | null }

/** Everything a task asks for that cannot be had here, once for each place. */
export function whyNotRunnable(config: TaskConfig, steps: readonly PlannedStep[], variables: readonly HostVariable[]): NotRunnable[] {
  const found = [
    ...environmentNeeds(config.environment, 'environment'),
    ...steps.flatMap(({ key, own_machine }) =>
      own_machine && own_machine !== config.environment ? environmentNeeds(own_machine, `${key}verifier.environment`) : [],
    ),
    ...steps.flatMap(networkNeeds),
    ...steps.flatMap(({ trajectory }) =>
      trajectory === null
        ? []
        : [
            needs(
              'prior-trajectory',
              trajectory,
              'solvers here begin without a conversation that a task brings; leave the file out',
              'models',
            ),
          ],
    ),
    ...variables.flatMap(({ name, key, fallback }) =>
      fallback === null ? [needs('host-variable', key, `give the value of ${name} when the task is run`)] : [],
    ),
  ]
  return [...new Map(found.map((one) => [`${one.reason} ${one.key}`, one])).values()]
}

/** What compose files of a task ask for that no service has here, and services that are named and not there. */
export function composeNeeds(environment: TaskEnvironment, steps: readonly TaskStep[]): NotRunnable[] {
  const own = steps.flatMap(({ verifier: { place } }) => (place.mode === 'separate' ? [place.environment] : []))
  const found = [['environment', environment] as const, ...own.map((one) => ['verifier.environment', one] as const)].flatMap(
    ([place, one]) => composeProblems(place, one),
  )
  const planned = plannedCompose(environment)
  const there = new Set(['main', ...(planned?.ok ? planned.compose.services.others.map(({ name }) => name) : [])])
  const named = steps.flatMap(({ artifacts, verifier }) => [
    ...artifacts.map(({ service }) => ['artifacts', service] as const),
    ...verifier.collect.map(({ service }) => ['verifier.collect', service] as const),
  ])
  const missing = planned?.ok === false ? [] : named.filter(([, service]) => !there.has(service))
  const told = [...found, ...missing.map(([key, service]) => needs('compose', key, `there is no service ${service}`))]
  return [...new Map(told.map((one) => [`${one.key} ${one.text}`, one])).values()]
}

function composeProblems(place: string, environment: TaskEnvironment): NotRunnable[] {
  const read = plannedCompose(environment)
  const file = `${place}/docker-compose.yaml`
  if (read === null) return []
  if (!read.ok) return read.refused.map(({ key, text }) => needs('compose', `${file}: ${key}`, text))
  return read.compose.main.healthcheck && environment.healthcheck
    ? [needs('compose', `${file}: services.main.healthcheck`, 'the machine has a health check in [environment.healthcheck] too: keep one')]
    : []
}

function environmentNeeds(environment: EnvironmentConfig, key: string): NotRunnable[] {
  const { os, gpus, tpu, mcp_servers, skills_dir, network_mode } = environment
  const found: NotRunnable[] = []
  if (os === 'windows') found.push(needs('windows', `${key}.os`, 'machines here run Linux; write os = "linux" and a test.sh'))
  if ((gpus ?? 0) > 0) found.push(needs('gpus', `${key}.gpus`, 'machines here have no GPU; write gpus = 0 where the task can do without'))
  if (tpu !== null)
    found.push(needs('tpu', `${key}.tpu`, 'machines here have no TPU; leave [environment.tpu] out where the task can do without'))
  const servers = mcp_servers.map(({ name }) => name).join(', ')
  if (servers !== '') found.push(needs('mcp-servers', `${key}.mcp_servers`, `solvers here speak to no MCP server (${servers})`, 'models'))
  if (skills_dir) found.push(needs('skills', `${key}.skills_dir`, 'solvers here know no skills; leave skills_dir out', 'models'))
  if (network_mode === 'allowlist') found.push(allowlist(`${key}.network_mode`))
  return found
}

const allowlist = (key: string): NotRunnable =>
  needs('network-allowlist', key, 'a machine here has the whole network or none; write "public" or "no-network"')

function networkNeeds({ key, network }: PlannedStep): NotRunnable[] {
  const phases = [
    { key: `${key}agent.network_mode`, policy: network.agent, machine: network.environment, switches: true },
    // A verifier's own machine starts with what its phase may reach, so nothing is switched there.
    {
      key: `${key}verifier.network_mode`,
      policy: network.verifier,
      machine: network.place ?? network.environment,
      switches: network.place === null,
    },
  ]
  return phases.flatMap(({ key: at, policy, machine, switches }) => {
    if (same(policy, machine)) return []
    if (policy.mode === 'allowlist') return [allowlist(at)]
    return switches
      ? [needs('network-switch', at, 'the network of a machine cannot change here while it runs; write the same mode as in [environment]')]
      : []
  })
}

const same = (one: NetworkPolicy, other: NetworkPolicy): boolean =>
  one.mode === other.mode && one.allowed_hosts.join(' ') === other.allowed_hosts.join(' ')

const needs = (reason: NotRunnableReason, key: string, text: string, concerns: NotRunnable['concerns'] = 'all'): NotRunnable => ({
  reason,
  concerns,
  key,
  text,
})

/** Every variable that a task wants from whoever runs it, in the order of `task.toml`'s tables. */
export function taskVariables(config: TaskConfig): HostVariable[] {
  const verifiers = [
    { key: 'verifier', verifier: config.verifier },
    ...(config.steps ?? []).map(({ verifier }, at) => ({ key: `steps[${at}].verifier`, verifier })),
  ]
  return [
    ...hostVariablesOf(config.environment.env, 'environment.env'),
    ...verifiers.flatMap(({ key, verifier }) => [
      ...hostVariablesOf(verifier.env, `${key}.env`),
      ...(verifier.environment ? hostVariablesOf(verifier.environment.env, `${key}.environment.env`) : []),
    ]),
    ...hostVariablesOf(config.solution.env, 'solution.env'),
  ]
}
