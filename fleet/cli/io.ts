/** Everything a command may touch of its surroundings; tests give their own. */
export type Io = {
  /** Writes a whole line to stdout, or to stderr for what is not the command's result. */
  out(line: string): void
  err(line: string): void
  /** Replaces the progress line of an interactive terminal; does nothing elsewhere. */
  progress(line: string): void
  env: Record<string, string | undefined>
  fetch: typeof fetch
  now(): number
  /** Resolves after so many milliseconds, at once when `signal` fires. */
  pause(ms: number): Promise<void>
  /** Fires at Ctrl-C and SIGTERM. The process ends two seconds later, unless the command asked to be waited for. */
  signal: AbortSignal
  /** Asks for as long as ending takes; a second Ctrl-C ends the process at once all the same. */
  holdOn(): void
  interactive: boolean
  /** Width of the terminal that shows stdout; null where nothing limits it, as in a file. */
  columns: number | null
  colour: boolean
}

/** Ends a command with exit code 1 and one sentence; `code` and `status` are those of the API's problem, where there is one. */
export class CommandError extends Error {
  readonly code: string
  readonly status: number | null
  /** JSON pointer to what a request was refused for; null where nothing is named. */
  readonly pointer: string | null
  constructor(
    message: string,
    code = 'failed',
    status: number | null = null,
    { pointer = null, ...options }: { cause?: unknown; pointer?: string | null } = {},
  ) {
    super(message, options)
    this.code = code
    this.status = status
    this.pointer = pointer
  }
}

/** Ends a command with exit code 2: the command line itself does not fit. */
export class UsageError extends Error {}

export const exitCodes = { ok: 0, error: 1, usage: 2, notVerified: 3, changed: 3, interrupted: 130 } as const
