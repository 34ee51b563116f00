export const byCount = ([a, x], [b, y]) => y - x || (a < b ? -1 : 1)
