/** Rows of all release files together: a release takes the first of them, in the order of the files. */
export const allRows = 1055

/** Which problems a profile asks: those of a release, and of these the ones of contests from one time to another, both included. */
export type Release = { rows: number; from?: number; to?: number; items: number }

/** The release tags of the data set's loader (reference 1.1), and the window that Artificial Analysis reports. */
export const releases = {
  official: { rows: allRows, items: allRows },
  release_v5: { rows: 880, items: 880 },
  release_v4: { rows: 713, items: 713 },
  release_v3: { rows: 612, items: 612 },
  release_v2: { rows: 511, items: 511 },
  release_v1: { rows: 400, items: 400 },
  aa: { rows: 880, from: Date.UTC(2024, 6, 1), to: Date.UTC(2025, 0, 1), items: 315 },
  builtin: { rows: allRows, items: allRows },
} as const satisfies Record<string, Release>

export type ProfileName = keyof typeof releases

const nothing: Release = { rows: 0, items: 0 }

/**
 * The rows of a profile's items, sorted by the ids of the problems as the official run has them. Releases and windows are parts of the pinned files:
 * of data of another size, such as the sample or an operator's own, every row is an item.
 */
export function itemRows(profile: string, problems: readonly { id: string; date: number }[]): number[] {
  const release: Release = Object.hasOwn(releases, profile) ? releases[profile as ProfileName] : nothing
  const { rows, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = release
  const whole = problems.length !== allRows
  return problems
    .flatMap(({ date }, row) => (whole || (row < rows && from <= date && date <= to) ? [row] : []))
    .sort((a, b) => order(problems[a]!.id, problems[b]!.id))
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
