import type { CardName } from './cards.ts'
import type { Task } from './task.ts'

/** The tasks by card name, each loaded when it is first needed; the compiler checks that no card is without one. */
export const tasks: Record<CardName, () => Promise<Task>> = {
  mmlu_pro: async () => (await import('./mmlu_pro/task.ts')).default,
  gpqa_diamond: async () => (await import('./gpqa_diamond/task.ts')).default,
  aime_2025: async () => (await import('./aime_2025/task.ts')).default,
  aime_2022_2024: async () => (await import('./aime_2022_2024/task.ts')).default,
  hle: async () => (await import('./hle/task.ts')).default,
  hle_text: async () => (await import('./hle_text/task.ts')).default,
  aa_lcr: async () => (await import('./aa_lcr/task.ts')).default,
  ifeval: async () => (await import('./ifeval/task.ts')).default,
  ifbench: async () => (await import('./ifbench/task.ts')).default,
  scicode: async () => (await import('./scicode/task.ts')).default,
  code_tasks: async () => (await import('./code_tasks/task.ts')).default,
  swe_bench_pro: async () => (await import('./swe_bench_pro/task.ts')).default,
  tau2_bench_telecom: async () => (await import('./tau2_bench_telecom/task.ts')).default,
  terminal_tasks: async () => (await import('./terminal_tasks/task.ts')).default,
  terminal_bench_2_1: async () => (await import('./terminal_bench_2_1/task.ts')).default,
  terminal_bench_hard: async () => (await import('./terminal_bench_hard/task.ts')).default,
  janus_research: async () => (await import('./janus_research/task.ts')).default,
  janus_tool_use: async () => (await import('./janus_tool_use/task.ts')).default,
  janus_multimodal: async () => (await import('./janus_multimodal/task.ts')).default,
  janus_streaming: async () => (await import('./janus_streaming/task.ts')).default,
  janus_cost: async () => (await import('./janus_cost/task.ts')).default,
  janus_public: async () => (await import('./janus_public/task.ts')).default,
  livecodebench: async () => (await import('./livecodebench/task.ts')).default,
}

/** The task of a benchmark, or undefined for a name that has none. */
export async function findTask(name: string): Promise<Task | undefined> {
  return Object.hasOwn(tasks, name) ? tasks[name as CardName]() : undefined
}
