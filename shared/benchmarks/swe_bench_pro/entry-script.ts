import { strip } from '../../python/text.ts'
import { universalNewlines } from './python-text.ts'

/** Where grading lies in a machine. The script writes whether the patch applied into `applied`, which official grading does not tell apart. */
export const places = {
  repository: '/app',
  workspace: '/workspace',
  entry: 'entryscript.sh',
  patch: 'patch.diff',
  runScript: 'run_script.sh',
  parser: 'parser.py',
  output: 'output.json',
  stdout: 'stdout.log',
  stderr: 'stderr.log',
  applied: 'applied',
} as const

/** What is run for an instance. `dockerfiles`: that of the base, then its own. */
export type EntryFacts = { base_commit: string; last_command: string; test_files: readonly string[]; dockerfiles: readonly string[] }

/** The last line of a row's `before_repo_set_cmd`: the only one that grading runs. It brings the tests of the solution. */
export const lastCommand = (commands: string): string => strip(commands).split('\n').at(-1)!

/** Lines of a Dockerfile that begin with `ENV` as `export`. One without `=` exports nothing useful; officially it stays so. */
export function exportLines(dockerfile: string): string[] {
  const lines = universalNewlines(dockerfile)
    .split('\n')
    .map((line) => strip(line))
  return lines.filter((line) => line.startsWith('ENV')).map((line) => `export${line.slice(3)}`)
}

/**
 * The script that grades: what the official one does, command by command (reference 4.3). Nothing ends it early: on a patch that does not apply the tests run
 * on the base. The files to test are one unquoted word of the shell, as there.
 */
export function entryScript({ base_commit, last_command, test_files, dockerfiles }: EntryFacts): string {
  const at = (file: string): string => `${places.workspace}/${file}`
  const [stdout, stderr] = [at(places.stdout), at(places.stderr)]
  const lines = [
    ...dockerfiles.flatMap(exportLines),
    `cd ${places.repository}`,
    `git reset --hard ${base_commit}`,
    `git checkout ${base_commit}`,
    `git apply -v ${at(places.patch)}`,
    `echo $? > ${at(places.applied)}`,
    last_command,
    `bash ${at(places.runScript)} ${test_files.join(',')} > ${stdout} 2> ${stderr}`,
    `python ${at(places.parser)} ${stdout} ${stderr} ${at(places.output)}`,
  ]
  return `${lines.join('\n')}\n`
}
