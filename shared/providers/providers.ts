import { chutes } from './chutes.ts'
import { demo } from './demo.ts'
import { lmstudio } from './lmstudio.ts'
import { openai } from './openai.ts'
import { openrouter } from './openrouter.ts'
import type { ConfiguredProvider, ProviderKind } from './provider.ts'
import type { ProviderDef } from './provider-def.ts'

/** Every kind of provider. A new one is a file beside this, its name in `providerKinds` and its line here. */
export const providerDefs: Record<ProviderKind, ProviderDef> = { chutes, openai, openrouter, lmstudio, demo }

export const defOf = ({ kind }: Pick<ConfiguredProvider, 'kind'>): ProviderDef => providerDefs[kind]
