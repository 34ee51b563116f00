import { readdirSync, readFileSync } from 'node:fs'

/** Linux's `O_CLOEXEC`, as `/proc/self/fdinfo` shows it: closed in what a process starts. */
const closesOnExec = 0o2000000

/**
 * Descriptors that a process started by this one would get without being meant to: Node's own close, those that Node was started with may not.
 * To be looked up once: a descriptor that the agent opens later is never handed on.
 */
export function inheritedDescriptors(): number[] {
  return readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((descriptor) => {
      try {
        const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1]
        return flags !== undefined && (Number.parseInt(flags, 8) & closesOnExec) === 0
      } catch {
        return false // the one that listed them
      }
    })
}
