import { benchmarks } from './official-packages.ts'

/** Compares our side with the official one; gives the number of disagreements. */
export type Compare = (source: string | undefined, seed: number, answers: number, only: string[]) => Promise<number>

/** What is compared in a way of its own; the official code mostly lies in a folder that is named. Its program is loaded when it runs. */
export const bySource = {
  aime: async (source, seed, answers) => (await import('./compare-contest.ts')).compareContest(source, seed, answers),
  livecodebench: async (source, seed, answers) => (await import('./compare-programs.ts')).comparePrograms(source, seed, answers),
  scicode: async (source, seed, answers) => (await import('./compare-scicode.ts')).compareScicode(source, seed, answers),
  swe_bench_pro: async (source, seed, answers) => (await import('./compare-swe-bench-pro.ts')).compareSwePro(source, seed, answers),
  terminus: async (source, seed, answers) => (await import('./compare-terminus.ts')).compareTerminus(source, seed, answers),
  terminus2: async (source, seed, answers) => (await import('./compare-conversations.ts')).compareConversations(source, seed, answers),
  harbor: async (source, seed, answers, only) => (await import('./compare-harbor.ts')).compareHarbor(source, seed, answers, only),
  tau2: async (source, seed, answers) => (await import('./compare-tau2.ts')).compareTau2(source, seed, answers),
  janus: async (source, seed, answers) => (await import('./compare-janus.ts')).compareJanus(source, seed, answers),
  panes: async (source, seed, answers) => (await import('./compare-panes.ts')).comparePanes(source, seed, answers),
  python: async (source, seed, answers) => (await import('./compare-python.ts')).comparePython(source, seed, answers),
} satisfies Record<string, Compare>

/** Every name that `npm run parity --` takes. */
export const comparisons = { ...benchmarks, ...bySource }
