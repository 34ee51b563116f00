import type { Card } from '../contract/card.ts'
import { card as aaLcr } from './aa_lcr/card.ts'
import { card as aime20222024 } from './aime_2022_2024/card.ts'
import { card as aime2025 } from './aime_2025/card.ts'
import { card as codeTasks } from './code_tasks/card.ts'
import { card as gpqaDiamond } from './gpqa_diamond/card.ts'
import { card as hle } from './hle/card.ts'
import { card as hleText } from './hle_text/card.ts'
import { card as ifbench } from './ifbench/card.ts'
import { card as ifeval } from './ifeval/card.ts'
import { card as janusCost } from './janus_cost/card.ts'
import { card as janusMultimodal } from './janus_multimodal/card.ts'
import { card as janusPublic } from './janus_public/card.ts'
import { card as janusResearch } from './janus_research/card.ts'
import { card as janusStreaming } from './janus_streaming/card.ts'
import { card as janusToolUse } from './janus_tool_use/card.ts'
import { card as livecodebench } from './livecodebench/card.ts'
import { card as mmluPro } from './mmlu_pro/card.ts'
import { card as scicode } from './scicode/card.ts'
import { card as sweBenchPro } from './swe_bench_pro/card.ts'
import { card as tau2BenchTelecom } from './tau2_bench_telecom/card.ts'
import { card as terminalBench21 } from './terminal_bench_2_1/card.ts'
import { card as terminalBenchHard } from './terminal_bench_hard/card.ts'
import { card as terminalTasks } from './terminal_tasks/card.ts'

const list = [
  mmluPro,
  gpqaDiamond,
  aime2025,
  aime20222024,
  ifeval,
  ifbench,
  hle,
  hleText,
  aaLcr,
  scicode,
  livecodebench,
  codeTasks,
  terminalTasks,
  terminalBench21,
  terminalBenchHard,
  sweBenchPro,
  tau2BenchTelecom,
  janusResearch,
  janusToolUse,
  janusMultimodal,
  janusStreaming,
  janusCost,
  janusPublic,
] as const

/** Name of a benchmark there is. */
export type CardName = (typeof list)[number]['name']

/** The cards of all benchmarks, in the order in which they are shown. */
export const cards: readonly Card[] = list

export function findCard(name: string): Card | undefined {
  return cards.find((card) => card.name === name)
}
