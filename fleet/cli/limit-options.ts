import * as z from 'zod'
import type { CreateRun } from '#shared/contract/create-run.ts'
import { CallLimits } from '#shared/contract/limits.ts'
import { integer, type Option } from './command.ts'

/** Options for the limits of a run's calls, in place of those that the profiles name. */
export const limitOptions = {
  'connect-timeout': { help: 'longest wait for a connection, such as 10s', value: 'TIME' },
  'first-token-timeout': { help: 'longest wait for the first word of an answer, such as 3m', value: 'TIME' },
  'idle-timeout': { help: 'longest silence within an answer', value: 'TIME' },
  'total-timeout': { help: 'longest time for a whole answer, such as 15m', value: 'TIME' },
  attempts: { help: 'calls for one item before it has failed', value: 'N' },
  'timed-out-attempts': { help: 'calls for one item that may run into a time limit', value: 'N' },
  patience: { help: 'no call for an item begins later than this after its first', value: 'TIME' },
} satisfies Record<string, Option>

const unitsMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** A time such as `500ms`, `90s`, `1.5m` or `2h`; a bare number is seconds. Gives milliseconds. */
const time = (limit: z.ZodType<number>) =>
  z
    .string()
    .regex(/^\d+(?:\.\d+)?(?:ms|s|m|h)?$/, 'must be a time such as 500ms, 90s, 1.5m or 2h')
    .transform((text) => Math.round(Number.parseFloat(text) * unitsMs[/[a-z]*$/.exec(text)![0] || 's']!))
    .refine((ms) => limit.safeParse(ms).success, 'must be from 100ms to 2h')
    .optional()

export const limitValues = {
  'connect-timeout': time(CallLimits.shape.connect_ms),
  'first-token-timeout': time(CallLimits.shape.first_token_ms),
  'idle-timeout': time(CallLimits.shape.idle_ms),
  'total-timeout': time(CallLimits.shape.total_ms),
  attempts: integer(1, 20).optional(),
  'timed-out-attempts': integer(1, 20).optional(),
  patience: time(CallLimits.shape.patience_ms),
}
type LimitValues = z.infer<z.ZodObject<typeof limitValues>>

/** The field `limits` of a request; nothing where no option names one. */
export function limitsOf(values: LimitValues): Pick<CreateRun, 'limits'> {
  const limits = {
    connect_ms: values['connect-timeout'],
    first_token_ms: values['first-token-timeout'],
    idle_ms: values['idle-timeout'],
    total_ms: values['total-timeout'],
    attempts: values.attempts,
    timeouts: values['timed-out-attempts'],
    patience_ms: values.patience,
  }
  const named = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
  return Object.keys(named).length > 0 ? { limits: named } : {}
}
