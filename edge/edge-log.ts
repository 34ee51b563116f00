import { createLineRedactor } from '#shared/secrets/redactor.ts'
import { createLog, type Log } from '#shared/telemetry/log.ts'

/** The Worker's log: one JSON object a line. It holds no key, whatever an error quotes; it knows keys of others by their shape alone. */
export const edgeLog: Log = createLog({
  form: 'json',
  now: () => new Date(),
  redact: createLineRedactor([]),
  write: (line, level) => console[level](line),
})
