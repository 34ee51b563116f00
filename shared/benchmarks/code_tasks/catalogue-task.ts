import * as z from 'zod'
import { Dependencies } from './dependencies.ts'

export const taskLanguages = ['python', 'javascript', 'go', 'rust', 'cpp', 'html'] as const
export type TaskLanguage = (typeof taskLanguages)[number]

/** Why a path cannot name a file of a task, in words that follow the path; null where it can. */
export function pathFault(path: string): string | null {
  if (path === '' || path.length > 200) return 'is empty or too long'
  if (path.startsWith('/')) return 'is absolute'
  if (/[\\\p{Cc}"]/u.test(path)) return 'holds a backslash, a quote or a control character'
  const parts = path.split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return 'has a part that is empty, "." or ".."'
  return null
}

/** Texts by their path below a folder of a task. */
const Files = z.record(z.string(), z.string()).superRefine((files, context) => {
  for (const path of Object.keys(files)) {
    const fault = pathFault(path)
    if (fault) context.addIssue({ code: 'custom', path: [path], message: fault })
  }
})
export type Files = Readonly<Record<string, string>>

const Command = z.tuple([z.string().min(1)], z.string())
const Name = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,59}$/, 'lower-case letters, digits, "_" and "-"')

/** A program that prints what the workspace's code computes; see `observationsIn`. */
const Probe = z.strictObject({ name: Name, command: Command, stdin: z.string().optional() })

/** What `task.json` of a task says. */
export const TaskFile = z.strictObject({
  schema: z.literal(1),
  task_id: z.string().regex(/^[a-z0-9][a-z0-9_]{0,79}$/, 'lower-case letters, digits and "_"'),
  language: z.enum(taskLanguages),
  type: z.enum(['feature_implementation', 'bug_fix']),
  difficulty: z.enum(['easy', 'medium', 'expert']),
  tags: z.array(z.string().min(1).max(60)).max(20),
  /** For build and probes together. */
  timeout_seconds: z.int().min(1).max(3600),
  build: z.array(Command).max(20),
  /** Probes that are given the path of a browser as their last argument, where one is there, observe the same in it. */
  browser: z.literal(true).optional(),
  /** What is installed over a network before the task's files are there; tasks of the program name none. */
  dependencies: Dependencies.optional(),
  probes: z
    .array(Probe)
    .min(1)
    .max(50)
    .refine((probes) => new Set(probes.map(({ name }) => name)).size === probes.length, 'two probes have the same name'),
})
export type TaskFile = z.infer<typeof TaskFile>

/** What every case of a probe has to come to, by probe and case; a case's name holds no white space, as it is a word of a line. */
const Expected = z.record(
  Name,
  z.record(z.string().regex(/^\S{1,200}$/), z.json()).refine((cases) => Object.keys(cases).length > 0, 'has no case'),
)
export type Expected = z.infer<typeof Expected>

/** What a task's folder holds, in one row of a packed catalogue. */
export const CatalogueTask = TaskFile.extend({
  instructions: z.string().min(1),
  workspace: Files.refine((files) => Object.keys(files).length > 0, 'has no file').refine(
    (files) => !Object.keys(files).some(isOfTests),
    'has a folder tests: that name is for the probes, which no patch may touch',
  ),
  tests: Files.refine((files) => Object.keys(files).length > 0, 'has no file'),
  expected: Expected,
  reference: Files,
}).superRefine(({ language, browser, probes, expected, reference }, context) => {
  const issue = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
  if (browser && language !== 'html') issue(['browser'], 'is for tasks in html alone: no other program is tested in a browser')
  const names = probes.map(({ name }) => name)
  for (const name of names) if (!Object.hasOwn(expected, name)) issue(['expected', name], 'is missing: the probe has no expected values')
  for (const name of Object.keys(expected)) if (!names.includes(name)) issue(['expected', name], 'belongs to no probe')
  if (Object.keys(reference).length === 0) issue(['reference'], 'has no file')
  for (const path of Object.keys(reference).filter(isOfTests)) issue(['reference', path], 'lies in the folder tests')
})
export type CatalogueTask = z.infer<typeof CatalogueTask>

/** Whether a path of a workspace lies where the probes are looked for. */
export const isOfTests = (path: string): boolean => /^tests(\/|$)/i.test(path)

/** The workspace with the reference solution in place. */
export const solvedWorkspace = ({ workspace, reference }: Pick<CatalogueTask, 'workspace' | 'reference'>): Files => ({
  ...workspace,
  ...reference,
})

/** What a task keeps from the tested model, and its solver reads when the model is done. */
export const HiddenTask = z.object({
  language: z.enum(taskLanguages),
  timeout_seconds: z.number(),
  build: z.array(Command),
  browser: z.literal(true).optional(),
  dependencies: Dependencies.optional(),
  probes: z.array(Probe),
  workspace: z.record(z.string(), z.string()),
  tests: z.record(z.string(), z.string()),
  expected: Expected,
})
export type HiddenTask = z.infer<typeof HiddenTask>

/** What the solver reads of a task: everything but words for people and the reference solution. */
export function hiddenOf(task: CatalogueTask): HiddenTask {
  const { language, timeout_seconds, build, browser, dependencies, probes, workspace, tests, expected } = task
  const more = { ...(browser && { browser }), ...(dependencies && { dependencies }) }
  return { language, timeout_seconds, build, ...more, probes, workspace, tests, expected }
}
