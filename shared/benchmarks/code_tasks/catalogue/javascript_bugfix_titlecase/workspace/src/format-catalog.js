import { titleCase } from './title-case.js'

/**
 * One line for each entry, such as `The Long Tide (1987)`, by title and then by year.
 *
 * @param {{ title: string, year: number }[]} entries
 * @returns {string}
 */
export function formatCatalog(entries) {
  return entries
    .map(({ title, year }) => ({ title: titleCase(title), year }))
    .sort((a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : a.year - b.year))
    .map(({ title, year }) => `${title} (${year})`)
    .join('\n')
}
