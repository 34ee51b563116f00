import * as z from 'zod'
import { paneParsers } from './pane-parser.ts'

/** Seconds as pydantic takes them: a number, or a text that is one. */
const seconds = (usual: number) =>
  z
    .union([z.number(), z.stringFormat('number', /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i).transform(Number)])
    .pipe(z.number().min(0))
    .default(usual)

/** What a `task.yaml` of Terminal-Bench 0.2.18 says, with its defaults. Keys that nobody there knows are left out. */
export const TaskYaml = z.object({
  instruction: z.string(),
  author_name: z.string().default('unknown'),
  author_email: z.string().default('unknown'),
  difficulty: z.enum(['easy', 'medium', 'hard', 'unknown']),
  category: z.string().default('software_engineering'),
  tags: z.array(z.string()).default([]),
  parser_name: z.enum(paneParsers).default('pytest'),
  max_agent_timeout_sec: seconds(360),
  max_test_timeout_sec: seconds(60),
  run_tests_in_same_shell: z.boolean().default(false),
})
export type TaskYaml = z.infer<typeof TaskYaml>

/** A step of a `solution.yaml`: keys that are typed, with Enter behind them or not, waited for until they have ended or for some seconds. */
const TerminalCommand = z.object({
  command: z.string(),
  min_timeout_sec: seconds(0),
  max_timeout_sec: seconds(180),
  block: z.boolean().default(false),
  append_enter: z.boolean().default(true),
})
export type TerminalCommand = z.infer<typeof TerminalCommand>
export const SolutionYaml = z.array(TerminalCommand)
