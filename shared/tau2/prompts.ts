import { fillTemplate } from '../benchmarks/fill-template.ts'
import { textOf } from '../benchmarks/parse-rows.ts'

type Texts = Readonly<Record<string, string>>

/** What the agent is told first, under one profile; `greeting`: what it has said before anybody speaks. */
export type AgentBeginning = { system: string; greeting: string }

/** The official system message of the agent: the instruction and both policies. Sources: `llm_agent.py`, `domains/telecom/environment.py`. */
export function officialAgent(texts: Texts): AgentBeginning {
  const text = (id: string): string => textOf(texts, id)
  const policy = [
    ...[text('main_policy_open'), text('main_policy'), text('main_policy_close')],
    ...[text('tech_support_open'), text('tech_support_manual'), text('tech_support_close')],
  ].join('')
  const system = fillTemplate(text('agent_system'), { agent_instruction: text('agent_instruction'), domain_policy: policy })
  return { system, greeting: text('greeting') }
}

/** The official system message of the user simulator without a persona of the run. Source: `user_simulator.py`. */
export function officialUser(texts: Texts, scenario: string): string {
  const guidelines = textOf(texts, 'user_guidelines').replaceAll('<PERSONA_GUIDELINES>', '')
  return fillTemplate(textOf(texts, 'user_system'), { global_user_sim_guidelines_with_persona: guidelines, instructions: scenario })
}
