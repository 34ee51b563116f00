import type { SandyResources } from '#shared/contract/ops.ts'

/** Says whether the service accepts another sandbox. */
export function takesText({ can_create_sandbox: can }: Pick<SandyResources, 'can_create_sandbox'>): string {
  return can === null ? 'unknown' : can ? 'accepted' : 'refused'
}

/** `1.5 of 8.0 GiB`, `1.5 GiB` without a total, `unknown` without a value. */
export function sizeText(used: number | null, total: number | null): string {
  if (used === null) return 'unknown'
  const unit = (total ?? used) >= 2 ** 30 ? (['GiB', 2 ** 30] as const) : (['MiB', 2 ** 20] as const)
  const amount = (bytes: number): string => (bytes / unit[1]).toFixed(1)
  return total === null ? `${amount(used)} ${unit[0]}` : `${amount(used)} of ${amount(total)} ${unit[0]}`
}

/** Milliseconds after which a line of these moments breaks: three times their median distance. */
export function gapOf(moments: readonly string[]): number {
  const times = moments.map((moment) => Date.parse(moment))
  const steps = times
    .slice(1)
    .map((time, at) => time - times[at]!)
    .sort((a, b) => a - b)
  return 3 * (steps[steps.length >> 1] ?? Number.POSITIVE_INFINITY)
}
