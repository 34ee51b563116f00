import * as z from 'zod'

/** The profile under which a command of whoever starts the run works at a task's machine. */
export const commandProfile = 'command'

/** Longest command, in UTF-16 units: a script that is longer belongs into the install command's download. */
export const mostCommand = 10_000

/** What a shell can be given: not empty, and without a NUL. The pattern is for documents. */
const shellText = z
  .string()
  .trim()
  .min(1)
  .max(mostCommand)
  .regex(/^[^\0]*$/)
  .meta({ pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$' })

/**
 * A program that works at a task's machine in place of an agent of ours. `command` is what `bash` runs as the step's user; `install` runs once before, as
 * root. Both stand in the plan for everybody who may see the run: no secret belongs into them.
 */
export const CommandAgent = z.strictObject({ command: shellText, install: shellText.nullish() })
export type CommandAgent = z.infer<typeof CommandAgent>
