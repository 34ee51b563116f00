import type { SandboxKind } from '#shared/contract/resources.ts'
import type { SandboxProbe } from '../announce-resources.ts'
import type { SandboxProvider } from '../trial/resources.ts'

/** What opens sandboxes of one kind, until it is closed. */
export type OpenedHost = SandboxProvider & { close(): void | Promise<void> }

/** What a machine or its environment lacks so that a kind of sandbox could be tried at all, and who does what about it. */
export type Absence = { why: string; fix: string }

/** A kind of sandbox as an agent may have it: how it is looked for, tried and opened. */
export type SandboxHost = {
  kind: SandboxKind
  /** Null where there is something to try. Cheap: nothing is started or asked over a network. */
  absence(): Absence | null
  probe: SandboxProbe
  /** What an operator can do where the probe or the contract does not hold. */
  fix: string
  create(): Promise<OpenedHost>
}
