import type { ModelParams } from '../contract/message.ts'
import type { ConfiguredProvider } from './provider.ts'
import { defOf } from './providers.ts'
import { readReasoning } from './reasoning-features.ts'

type Asked = Partial<Pick<ModelParams, 'reasoning_effort' | 'reasoning_budget_tokens' | 'routing'>>
/** The field at fault, and a sentence that says what to do instead. */
export type RefusedParameter = { field: keyof Asked; message: string }
type Model = { slug: string; features?: readonly string[] }

/**
 * What a provider cannot do of what is asked of one of its models, so that nobody pays for answers that were asked otherwise than the run
 * says; null where it can, or where nothing is known against it.
 */
export function refusedParameter(asked: Asked, model: Model, provider: ConfiguredProvider): RefusedParameter | null {
  const def = defOf(provider)
  const { label } = provider
  const told = readReasoning(model.features ?? [])
  if (asked.routing !== undefined && !def.routes)
    return { field: 'routing', message: `${label} has no upstream providers to choose from; OpenRouter has. Leave routing out.` }
  if (asked.reasoning_budget_tokens !== undefined) {
    const why = budgetRefusal(model.slug, told, provider)
    if (why) return { field: 'reasoning_budget_tokens', message: why }
  }
  const level = asked.reasoning_effort
  const why = level == null ? null : effortRefusal(level, model.slug, told, label)
  return why === null ? null : { field: 'reasoning_effort', message: why }
}

type Told = ReturnType<typeof readReasoning>

function effortRefusal(level: string, slug: string, { reasons, always, efforts }: Told, label: string): string | null {
  if (reasons === false) return `${label} says that ${slug} does not reason, so it takes no level. Leave reasoning_effort out.`
  if (efforts && !efforts.includes(level))
    return `${slug} takes these levels of reasoning at ${label}: ${efforts.join(', ')}. It takes no ${level}.`
  if (always && level === 'none') return `${slug} always reasons at ${label}: it cannot be asked for none.`
  return null
}

function budgetRefusal(slug: string, { reasons, takesBudget, efforts }: Told, provider: ConfiguredProvider): string | null {
  const { label } = provider
  const { budget } = defOf(provider)
  const instead = 'Ask for a level with reasoning_effort instead.'
  if (budget === 'never') return `${label} takes no budget of tokens for reasoning. ${instead}`
  if (budget === 'where-configured' && !provider.reasoning_budget_field)
    return `Whether ${label} keeps to a budget of tokens for reasoning is not known: its operator says so with reasoning_budget_field. ${instead}`
  if (reasons === false) return `${label} says that ${slug} does not reason, so it takes no budget. Leave reasoning_budget_tokens out.`
  if (takesBudget !== false) return null
  return `${label} says that ${slug} takes no budget of tokens for reasoning.${efforts ? ` Its levels are ${efforts.join(', ')}.` : ''} ${instead}`
}
