import { writeFileSync } from 'node:fs'

const categories = ['biology', 'business', 'chemistry', 'computer science', 'economics', 'engineering', 'health', 'history', 'law', 'math']
const letters = 'ABCDEFGHIJ'

/** Writes `count` invented questions with the columns of MMLU-Pro's rows as JSON lines; the same count gives the same bytes. */
export function writeSyntheticItems(path: string, count: number): void {
  const rows = Array.from({ length: count }, (_, index) => JSON.stringify(rowOf(index)))
  writeFileSync(path, `${rows.join('\n')}\n`)
}

function rowOf(index: number) {
  const width = 4 + (index % 7)
  return {
    question_id: index,
    question: `A store of ${index + 11} jars is split over ${(index % 9) + 2} shelves, and ${index % 13} jars are taken away again. Which statement about the jars that remain on the fullest shelf is right, if no shelf may hold more than one jar above any other?`,
    options: Array.from({ length: width }, (_, option) => `${index * 3 + option} jars remain, and the next shelf holds ${option} fewer`),
    answer: letters[(index * 7) % width],
    cot_content: '',
    category: categories[index % categories.length],
    src: 'synthetic',
  }
}
