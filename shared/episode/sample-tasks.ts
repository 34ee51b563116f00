const sample = (name: string, about: string) => ({ name, about, path: `/sample-tasks/${name}.zip` }) as const

/** Archives to try uploads with, as `npm run pack-tasks` packs the tasks of the program. The service gives each at its `path`. */
export const sampleTasks = [
  sample('count-lines', 'count the lines of a file'),
  sample('break-filter-js-from-html', 'write a page that a filter lets through'),
  sample('chess-best-move', 'find every move that mates at once'),
  sample('code-from-image', 'work out a program in a picture'),
] as const
