import type { Fields } from './provider-def.ts'
import { type RefusalWords, refusalWords } from './refusal-words.ts'

/** Machine codes and types by which servers name an overflow: OpenAI, Azure, Groq; llama.cpp; z.ai; GitHub Models; LiteLLM's exception. */
const codes = new Set([
  'context_length_exceeded',
  'context_window_exceeded',
  'contextwindowexceedederror',
  'exceed_context_size_error',
  'model_context_window_exceeded',
  'tokens_limit_reached',
  'prompt_too_long',
])

/**
 * Sentences about a prompt that does not fit, one line a form. They are matched against words in small letters, without quotes and backslashes, with one
 * space between words and no separators in numbers. Repeats are bounded: a long message is read in linear time.
 */
const sentences: readonly RegExp[] = [
  // OpenAI, vLLM, DeepSeek, OpenRouter, SGLang, Mistral ("too large for model with … maximum context length"), Fireworks.
  /maximum (?:context|prompt) length/,
  /maximum model length|max(?:imum)?[ _](?:model|seq|sequence)[ _]len(?:gth)?\b/,
  // Ollama, llama.cpp, llama-cpp-python, OpenAI's responses, Anthropic ("exceed context limit"), Cloudflare.
  /exceed(?:s|ed|ing)? (?:the |this |its |your )?(?:models? )?(?:available |configured |maximum |max )?context (?:size|length|window|limit)/,
  // MiniMax ("context window exceeds limit"), gateways ("context length exceeded").
  /context (?:size|length|window|limit) (?:\([^)]{0,40}\) )?(?:is |was |has been )?exceed/,
  // LM Studio, SGLang, Together, tabbyAPI.
  /(?:greater|longer|larger) than the (?:models? |maximum |available )?(?:context|model input) (?:size|length|window)/,
  /context length of only \d+ tokens|n_keep\b.{0,40}n_ctx\b|context the overflows|context overflow/,
  /configured context size is \d+ tokens|model context window is \d+ tokens|context window of \d+ tokens/,
  // Anthropic, Bedrock ("Input is too long for requested model"), Zhipu.
  /\b(?:prompt|input|conversation|messages?) (?:is|are|was|were) too long|\bprompt too long\b|prompt 超长|输入.{0,10}(?:超长|超过)/,
  // Gemini, in both of its forms.
  /input token count(?: \(\d+\))? exceeds the maximum number of (?:input )?tokens/,
  // OpenAI and Azure, GitHub Copilot and Models, IBM, Databricks.
  /input tokens exceed(?:s|ed)? the configured limit|prompt token count (?:of \d+ )?exceeds the limit|max size: \d+ tokens/,
  /number of input tokens \d* ?cannot exceed|exceeded (?:the )?maximum allowed input token|exceeded model token limit/,
  // Groq, Cerebras.
  /reduce the length of (?:the|your) (?:messages|prompt|input)/,
  // Text Generation Inference, TensorRT-LLM, SGLang, DeepInfra, MLC, poolside.
  /\binputs tokens \+ max_new_tokens must be|\binputs must have less than \d+ tokens/,
  /(?:prompt|input)(?: sequence)? length(?: \(?\d+(?: tokens)?\)?| of \d+)? (?:exceeds|should not exceed|cannot exceed)/,
  /(?:requested token count|total number of tokens in the prompt) (?:exceeds|cannot exceed)/,
  // Alibaba's DashScope names the range that an input may have.
  /range of input length should be/,
]

/** Limits of a rate or an account, which speak of tokens too. */
const ofPace = /tokens? per (?:second|minute|min|hour|day)\b|\btp[mds]\b|rate_limit_exceeded/
const ofRate = /rate[ _-]?limit|\brp[mds]\b|throttl|quota|too many requests/

/** The answer that was asked for and the window it must share, as each sentence puts them. */
const answersAndWindows: readonly RegExp[] = [
  /max(?:_completion|_new)?_tokens .{0,80}too large: (?<answer>\d+).{0,120}context length (?:is|of) (?<window>\d+)/,
  /context length (?:is|of) (?<window>\d+) tokens.{0,160}[ (](?<answer>\d+) (?:tokens )?(?:in|for|of) the (?:completion|output)/,
  /max_new_tokens must be <= (?<window>\d+).{0,80}and (?<answer>\d+) max_new_tokens/,
  /exceed context limit: \d+ \+ (?<answer>\d+) > (?<window>\d+)/,
]

/** Whether an answer was asked for that no question leaves room for: then the parameter is at fault, and a shorter question changes nothing. */
const asksTooMuch = (text: string): boolean =>
  answersAndWindows.some((form) => {
    const { answer, window } = form.exec(text)?.groups ?? {}
    return answer !== undefined && Number(answer) >= Number(window)
  })

/**
 * Whether a server refused a request because question and answer do not fit into the model's window, by a machine code or by a sentence that servers
 * use for nothing else. A limit of a rate, a `max_tokens` that is too large by itself, and a body of too many bytes are none.
 */
export function isContextOverflow({ texts, codes: named, param }: RefusalWords): boolean {
  if (named.some((code) => codes.has(code))) return true
  if (texts.some(asksTooMuch)) return false
  if (texts.some((text) => text.includes('contextwindowexceedederror'))) return true
  if ([...named, ...texts].some((one) => ofPace.test(one) || ofRate.test(one))) return false
  return param === 'input_tokens' || texts.some((text) => sentences.some((sentence) => sentence.test(text)))
}

/** Statuses that speak of the account, the key or the pace, whatever words come with them. */
const neverOverflow = new Set([401, 402, 403, 404, 407, 429])

/** The same of an HTTP refusal; `body` is its JSON, null where it is none, and then `text` is read as a sentence. */
export function isOverflowRefusal(status: number, body: Fields | readonly unknown[] | null, text = ''): boolean {
  if (status < 400 || neverOverflow.has(status)) return false
  return isContextOverflow(refusalWords(body ?? text))
}

/** Whether a refusal names a limit of tokens in a time, as Groq does under status 413. */
export function namesPace({ texts, codes: named }: RefusalWords): boolean {
  return [...named, ...texts].some((one) => ofPace.test(one))
}
