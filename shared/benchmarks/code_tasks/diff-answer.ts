import type { Files } from './catalogue-task.ts'
import { writeDiff } from './patch/write-diff.ts'

/** The change from one workspace to another as an answer in the form that is asked for. */
export function diffAnswer(before: Files, after: Files): string {
  return `\`\`\`diff\n${writeDiff(before, after)}\`\`\`\n`
}
