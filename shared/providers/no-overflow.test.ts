import { expect, test } from 'vitest'
import { isOverflowRefusal } from './context-overflow.ts'

type Refusal = [server: string, status: number, body: unknown]

const openAi = (message: string, more: object = {}) => ({
  error: { message, type: 'invalid_request_error', param: null, code: null, ...more },
})
const bare = (message: string, code = 400) => ({ object: 'error', message, type: 'BadRequestError', param: null, code })

/** Refusals in which tokens, lengths and windows are named, and the question is not too long for the window. */
const others: Refusal[] = [
  [
    'OpenAI, max_tokens',
    400,
    openAi('max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.', {
      param: 'max_tokens',
      code: 'invalid_value',
    }),
  ],
  [
    'SGLang, max_completion_tokens',
    400,
    bare('max_completion_tokens is too large: 40000.This model supports at most 32768 completion tokens.'),
  ],
  [
    'vLLM, max_tokens alone above the window',
    400,
    bare(
      "'max_tokens' or 'max_completion_tokens' is too large: 99999. This model's maximum context length is 4096 tokens and your request has 12 input tokens (99999 > 4096 - 12).",
    ),
  ],
  [
    'TGI, max_new_tokens alone',
    422,
    {
      error:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 17 `inputs` tokens and 10000 `max_new_tokens`',
    },
  ],
  [
    'Anthropic, max_tokens',
    400,
    {
      error: { type: 'invalid_request_error', message: 'max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens' },
    },
  ],
  [
    'Groq, tokens a minute',
    413,
    openAi(
      'Request too large for model `x` in organization `o` on tokens per minute (TPM): Limit 6000, Requested 8221, please reduce your message size.',
      { type: 'tokens', code: 'rate_limit_exceeded' },
    ),
  ],
  [
    'OpenAI, tokens a minute',
    429,
    openAi(
      'Request too large for gpt-4 on tokens per min (TPM): Limit 30000, Requested 40000. The input or output tokens must be reduced.',
      { code: 'rate_limit_exceeded' },
    ),
  ],
  ['a rate that names the prompt', 400, openAi('Rate limit: your prompt is too long for 6000 tokens per minute')],
  ['Bedrock, its pace', 429, { message: 'Too many tokens, please wait before trying again.' }],
  ['a key', 401, openAi("This model's maximum context length is 4096 tokens.")],
  [
    'no credit',
    402,
    {
      error: {
        message: 'This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 999',
      },
    },
  ],
  ['vLLM, a parameter', 400, bare('temperature must be non-negative, got -1.')],
  ['SGLang, tools', 400, bare('Tool choice is not supported')],
  ['llama.cpp, tools', 400, { error: { code: 400, message: 'tools param requires --jinja flag', type: 'invalid_request_error' } }],
  ['a body of bytes', 413, { error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } }],
  ['nginx', 413, '<html><head><title>413 Request Entity Too Large</title></head></html>'],
  [
    'a question repeated',
    422,
    {
      detail: [
        { loc: ['body'], msg: 'Field required', type: 'missing', input: { content: 'prompt is too long: maximum context length is 9' } },
      ],
    },
  ],
  ['a question that was flagged', 400, { error: { code: 400, message: 'flagged', metadata: { flagged_input: 'prompt is too long' } } }],
  ['stop words', 400, openAi('Invalid stop: too long. Expected at most 4 sequences.')],
  ['nothing', 400, null],
]

test.each(others)('[PROV350] %s (%i): the question is not too long', (_, status, body) => {
  const [parsed, text] = typeof body === 'string' ? [null, body] : [body as never, JSON.stringify(body)]
  expect(isOverflowRefusal(status, parsed, text)).toBe(false)
})
