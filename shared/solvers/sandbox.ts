import type { execEnds } from '../contract/transcript.ts'

/** What a solver asks of a sandbox. It has no network unless it asks for one, no environment of the host, and no way out. */
export type SandboxSpec = {
  /** An image by name or digest; null: whatever the sandbox brings along. */
  image: string | null
  cpus: number
  memory_mb: number
  disk_mb: number
  network: boolean
}

/** A command to run: its arguments one by one, never through a shell unless the shell is the first of them. */
export type ExecRequest = {
  argv: readonly [string, ...string[]]
  cwd?: string
  env?: Readonly<Record<string, string>>
  stdin?: Uint8Array
  timeout_ms: number
  /** Bytes of output to hand back; what comes beyond ends the command as `output-limit`. */
  output_bytes: number
}

/** What became of a command. Everything but `exited` is a limit or a refusal; `exit_code` is null for those. */
export type ExecResult = { end: (typeof execEnds)[number]; exit_code: number | null; stdout: Uint8Array; stderr: Uint8Array }

/** What became of a file that was to be written; `denied`: its path leaves the workspace or something stands in its way. */
export const writeEnds = ['written', 'disk-full', 'denied', 'unavailable'] as const
export type WriteEnd = (typeof writeEnds)[number]

/** An isolated machine for one trial. Nothing here throws for what a program inside does. */
export type Sandbox = {
  exec(request: ExecRequest): Promise<ExecResult>
  /** The first bytes of a plain file of the workspace, at most `most` of them; null where there is none. No link is followed. */
  read(path: string, most: number): Promise<Uint8Array | null>
  /** Puts a whole file into the workspace, in place of what had its name. No link is followed. */
  write(path: string, bytes: Uint8Array): Promise<WriteEnd>
}
