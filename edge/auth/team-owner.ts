const mark = 'team:'

/** The owner that a team is, as runs, tasks and keys name it. It is also the holder of the team's budget (`holderOf`). */
export const teamOwnerId = (team_id: string): string => `${mark}${team_id}`

/** The team that an owner id stands for; null for a person. */
export const teamOf = (owner_id: string): string | null => (owner_id.startsWith(mark) ? owner_id.slice(mark.length) : null)
