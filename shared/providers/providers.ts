import { chutes } from './chutes.ts'
import { demo } from './demo.ts'
import { janus } from './janus.ts'
import { llamacpp } from './llamacpp.ts'
import { lmstudio } from './lmstudio.ts'
import { ollama } from './ollama.ts'
import { openai } from './openai.ts'
import { openrouter } from './openrouter.ts'
import type { ConfiguredProvider, ProviderKind } from './provider.ts'
import type { ProviderDef } from './provider-def.ts'
import { sglang } from './sglang.ts'
import { vllm } from './vllm.ts'

/** Every kind of provider. A new one is a file beside this, its name in `providerKinds` and its line here. */
export const providerDefs: Record<ProviderKind, ProviderDef> = {
  ...{ chutes, openai, openrouter, janus },
  ...{ vllm, sglang, ollama, llamacpp, lmstudio },
  demo,
}

export const defOf = ({ kind }: Pick<ConfiguredProvider, 'kind'>): ProviderDef => providerDefs[kind]
