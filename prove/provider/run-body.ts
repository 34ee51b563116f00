/** A run of the simulated model over the questions that stand in for MMLU-Pro's data. */
export const simulatedRun = {
  model_id: 'sim',
  provider: 'openai',
  selected_benchmarks: ['mmlu_pro'],
  profile: 'builtin',
  data: 'override',
} as const
