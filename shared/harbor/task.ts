import type { Healthcheck, TreeFile } from '../solvers/machine.ts'
import type { PaneParser } from '../terminal-bench-1/pane-parser.ts'
import type { NotRunnable } from './task-problem.ts'

/** What a phase may reach. `allowed_hosts` are names, leading `*.` patterns, addresses and ranges; empty unless the mode is `allowlist`. */
export type NetworkPolicy = { mode: 'public' | 'no-network' | 'allowlist'; allowed_hosts: readonly string[] }

/** A user as an image knows it: a name or a number. Null: the image's own. */
export type TaskUser = string | number | null

/**
 * What a machine of a task starts from. `image` null: built from `context/Dockerfile`. `compose`: the text of `context/docker-compose.yaml`,
 * whose service `main` is the task's machine. Null in a size: whatever the host gives. `env` is as the task has it: see `resolveTaskEnv`.
 */
export type TaskEnvironment = {
  image: string | null
  compose: string | null
  /** The folder that the image is built from, where it is not null; paths from that folder. */
  context: readonly TreeFile[]
  build_timeout_ms: number
  cpus: number | null
  memory_mb: number | null
  storage_mb: number | null
  network: NetworkPolicy
  env: Readonly<Record<string, string>>
  workdir: string | null
  healthcheck: Healthcheck | null
}

/**
 * A file or folder that is carried from the solver's machine to the verifier's and into the results. `destination`: where below the artifacts'
 * folder, null for its own path there. `exclude`: patterns for `tar --exclude`. `service`: of a compose task; `main` is the machine itself.
 */
export type TaskArtifact = { source: string; destination: string | null; exclude: readonly string[]; service: string }

/** A shell command that runs in a service after the solver and before artifacts are taken. Its failure is told and changes nothing. */
export type CollectHook = { command: string; service: string; timeout_ms: number; user: TaskUser }

/**
 * Where a verifier runs: in the solver's machine, or in one of its own, whose image may have the tests in it already. A machine of its own may be
 * started with the `network` of the verifier's phase: nothing else happens in it.
 */
export type VerifierPlace = { mode: 'shared' } | { mode: 'separate'; environment: TaskEnvironment; tests_in_image: boolean }

/**
 * How a verifier's verdict is read: from the reward file that it leaves, or from what a terminal of 160 by 40 shows of the tests, as the first Terminal-Bench
 * does. `same_shell`: in the session that was worked in.
 */
export type Verdict = { type: 'reward' } | { type: 'pane'; parser: PaneParser; same_shell: boolean }

/** What becomes of a step, everything inherited filled in. A task of one step has one, without a name. */
export type TaskStep = {
  /** Its folder below `steps/`; null for a task without steps. */
  name: string | null
  instruction: string
  /** Files that are put into the machine's working directory before the step. `setup.sh` among them runs there, with bash. */
  workdir: readonly TreeFile[]
  healthcheck: Healthcheck | null
  /** Null in `timeout_ms`: as long as it takes. */
  agent: { timeout_ms: number | null; user: TaskUser; network: NetworkPolicy }
  /** `script` is the file below `solution/` that solves it, null where there is none. */
  solution: { files: readonly TreeFile[]; script: string | null; env: Readonly<Record<string, string>> }
  verifier: {
    place: VerifierPlace
    timeout_ms: number
    user: TaskUser
    network: NetworkPolicy
    env: Readonly<Record<string, string>>
    /** What is put to `/tests`, the task's own before the step's, which win; empty where the verifier's image has them. */
    tests: readonly TreeFile[]
    /** The file below `/tests` that is run. */
    script: string
    /** The task's hooks, then the step's. */
    collect: readonly CollectHook[]
    verdict: Verdict
  }
  /** The task's, then the step's; `/logs/artifacts` first, where no entry is about it. */
  artifacts: readonly TaskArtifact[]
  /** The least of each named reward that lets the next step begin; null: it always begins. */
  min_reward: Readonly<Record<string, number>> | null
}

/** A variable that a task wants from whoever runs it. `key`: where; `fallback`: what it is where nobody gives it, null where it must be given. */
export type HostVariable = { name: string; key: string; fallback: string | null }

/** What is said of a task and nothing is done with. */
export type TaskDescription = {
  version: string | null
  description: string
  authors: readonly { name: string; email: string | null }[]
  keywords: readonly string[]
  /** `[metadata]` as it stands: whatever its author wrote. */
  metadata: Readonly<Record<string, unknown>>
}

/** A task in Harbor's format, checked, with everything inherited filled in as Harbor 0.25.0 fills it. */
export type HarborTask = {
  /** `org/name` where the task says it, else the name of its folder. */
  name: string
  schema_version: string
  about: TaskDescription
  source: string | null
  environment: TaskEnvironment
  steps: readonly [TaskStep, ...TaskStep[]]
  /** How the rewards of several steps become one; null for a task without steps. */
  reward_strategy: 'mean' | 'final' | null
  /** `task.toml` as it was read: after migrations, with the keys nobody here knows. */
  toml: Readonly<Record<string, unknown>>
  /** Dotted keys of `task.toml` that Harbor 0.25.0 does not have. Never an error. */
  unknown_keys: readonly string[]
  /** What was written in an older way, and how it was understood. */
  migrations: readonly string[]
  /** Scripts that will not run as they are written, in words: see `lineEndWarnings`. */
  script_warnings: readonly string[]
  /** Every value of `env` that comes from whoever runs the task. Never read from a process's own environment. */
  host_variables: readonly HostVariable[]
  why_not_runnable: readonly NotRunnable[]
  /** `task_checksum` of Harbor's results: its folder hash. Hexadecimal. */
  checksum: string
  /** `task.digest` of Harbor's locks, `sha256:…`: of the files that are published. */
  digest: string
}
