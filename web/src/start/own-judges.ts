import type { BenchmarkInfo } from '#shared/contract/api.ts'

/** The judges that the chosen benchmarks name themselves, in the profile that is asked; empty where no answer is judged. */
export function ownJudges(chosen: readonly Pick<BenchmarkInfo, 'card'>[], asked: string | undefined): string[] {
  const models = chosen.flatMap(({ card }) => {
    const profile = card.profiles.find((one) => one.id === (asked ?? card.default_profile))
    return profile?.roles?.judge?.model ?? []
  })
  return [...new Set(models)]
}
