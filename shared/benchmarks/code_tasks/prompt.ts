import type { CatalogueTask, Files } from './catalogue-task.ts'
import { dependencyText } from './dependencies.ts'
import type { Options } from './profiles.ts'

const languageTitles = { python: 'Python', javascript: 'JavaScript', go: 'Go', rust: 'Rust', cpp: 'C++', html: 'HTML and JavaScript' }

const answerForm = `Answer with the change to the workspace as one unified diff, in one block that is fenced as \`diff\`. Nothing else of the answer is read. The first such block counts.

* Name every file twice before its changes, \`--- a/path\` and \`+++ b/path\`, with the path as given above; write \`/dev/null\` for the first name to add a file and for the second to delete one.
* Begin every change with a line \`@@ -line,count +line,count @@\`, then give the lines: a space before each that stays, \`-\` before each that goes, \`+\` before each that comes. Give about three lines that stay around each change, exactly as they are in the file.
* Files of tests are not part of the workspace and cannot be changed.

This is the form, for a file \`notes/list.txt\` of which the second line changes:

\`\`\`diff
--- a/notes/list.txt
+++ b/notes/list.txt
@@ -1,3 +1,3 @@
 first
-secnd
+second
 third
\`\`\``

/** The message that a task is asked with: what is wanted, the files, and the form of the answer. */
export function promptOf(task: CatalogueTask, { include_tests }: Pick<Options, 'include_tests'>): string {
  const parts = [
    `You are given a small ${languageTitles[task.language]} project and a task. Change the project so that the task is fulfilled. Its code is run afterwards with the standard toolchain and ${task.dependencies ? `what is installed for it (${dependencyText(task.dependencies)})` : 'nothing that has to be installed'}.`,
    `# Task\n\n${task.instructions.trim()}`,
    `# Workspace\n\n${filesText(task.workspace)}`,
  ]
  if (include_tests)
    parts.push(
      `# Tests\n\nThese programs lie in \`../tests\`, seen from the workspace. They are run after the change, and what they print is compared with values that are not shown.\n\n${filesText(task.tests)}`,
    )
  return [...parts, `# Answer\n\n${answerForm}`].join('\n\n')
}

function filesText(files: Files): string {
  return Object.entries(files)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => fileText(path, text))
    .join('\n\n')
}

/** A file between fences longer than any in it, as it stands: not a space is added or taken. */
function fileText(path: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const open = text !== '' && !text.endsWith('\n')
  const note = text === '' ? ' (empty)' : open ? ' (no newline at its end)' : ''
  return `File \`${path}\`${note}:\n\n${fence}\n${text}${open ? '\n' : ''}${fence}`
}
