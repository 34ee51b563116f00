import { expect, test } from 'vitest'
import { isOverflowRefusal } from './context-overflow.ts'

type Refusal = [server: string, status: number, body: unknown]

const openAi = (message: string, more: object = {}) => ({
  error: { message, type: 'invalid_request_error', param: null, code: null, ...more },
})
const bare = (message: string, code = 400) => ({ object: 'error', message, type: 'BadRequestError', param: null, code })
const proxied = (message: string) => ({ error: { message, type: 'invalid_request_error', param: null, code: '400' } })

/** Refusals of a prompt that was too long, in the words and forms of the servers that sent them. */
const overflows: Refusal[] = [
  ['OpenAI, by its code', 400, openAi('Your input is large.', { code: 'context_length_exceeded', param: 'messages' })],
  ['OpenAI, responses', 400, openAi('Your input exceeds the context window of this model. Please adjust your input and try again.')],
  [
    'OpenAI, older',
    400,
    openAi(
      "This model's maximum context length is 4097 tokens. However, you requested 5360 tokens (1360 in the messages, 4000 in the completion).",
    ),
  ],
  ['Azure', 400, openAi('Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 509178 tokens.')],
  [
    'DeepSeek',
    400,
    openAi(
      "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens (122942 in the messages, 8192 in the completion).",
    ),
  ],
  [
    'vLLM, by the parameter',
    400,
    { error: { message: 'The prompt is 9 tokens.', type: 'BadRequestError', param: 'input_tokens', code: 400 } },
  ],
  ['vLLM', 400, bare("This model's maximum context length is 4096 tokens. However, you requested 5000 tokens in the messages.")],
  [
    'vLLM, with max_tokens',
    400,
    bare(
      "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 2104 input tokens (2000 > 4096 - 2104).",
    ),
  ],
  ['vLLM, of the prompt', 400, bare('The decoder prompt (length 5121) is longer than the maximum model length of 4096.')],
  ['vLLM, under 500', 500, { detail: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens." }],
  ['SGLang', 400, bare("The input (70000 tokens) is longer than the model's context length (32768 tokens).")],
  ['SGLang, in all', 400, bare("Requested token count exceeds the model's maximum context length of 1000 tokens. You requested")],
  [
    'SGLang, its scheduler',
    400,
    bare('Input length (40000 tokens) exceeds the maximum allowed length (32762 tokens). Use a shorter input'),
  ],
  ['SGLang, pictures', 400, bare('Multimodal prompt is too long after expanding multimodal tokens.')],
  ['Together', 422, openAi("The input (516368 tokens) is longer than the model's context length (262144 tokens).")],
  [
    'llama.cpp',
    400,
    {
      error: {
        code: 400,
        message: 'request (13392 tokens) exceeds the available context size (8192 tokens)',
        type: 'exceed_context_size_error',
      },
    },
  ],
  [
    'llama.cpp, older',
    500,
    {
      error: {
        code: 500,
        message: 'the request exceeds the available context size. try increasing the context size',
        type: 'server_error',
      },
    },
  ],
  ['llama-cpp-python', 400, openAi('Requested tokens (5000) exceed context window of 4096')],
  ['Ollama', 400, openAi('the input length exceeds the context length')],
  ['Ollama, its own form', 500, { error: 'prompt too long; exceeded max context length by 100918 tokens' }],
  [
    'LM Studio',
    400,
    {
      error:
        'Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    },
  ],
  [
    'LM Studio, newer',
    400,
    {
      error: {
        message: 'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 23678>= n_ctx: 9472).',
      },
    },
  ],
  ['LM Studio, of the template', 400, { error: 'Cannot truncate prompt with n_keep (5121) >= n_ctx (4096)' }],
  [
    'TGI',
    422,
    {
      error:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 100000. Given: 99500 `inputs` tokens and 1024 `max_new_tokens`',
      error_type: 'validation',
    },
  ],
  [
    'TGI, of the prompt',
    422,
    { error: 'Input validation error: `inputs` must have less than 1024 tokens. Given: 2000', error_type: 'validation' },
  ],
  [
    'Anthropic',
    400,
    { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 213462 tokens > 200000 maximum' } },
  ],
  [
    'Anthropic, with max_tokens',
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'input length and `max_tokens` exceed context limit: 179413 + 32768 > 200000, decrease input length',
      },
    },
  ],
  [
    'Gemini, a list',
    400,
    [
      {
        error: {
          code: 400,
          message: 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
  ],
  ['Gemini 2.5', 400, { error: { code: 400, message: 'The input token count exceeds the maximum number of tokens allowed 1048576.' } }],
  ['Bedrock', 400, { message: 'Input is too long for requested model.', __type: 'ValidationException' }],
  [
    'Mistral',
    400,
    {
      object: 'error',
      message: 'Prompt contains 200000 tokens, too large for model with 131072 maximum context length',
      type: 'invalid_request_prompt',
    },
  ],
  ['Groq', 400, openAi('Please reduce the length of the messages or completion.', { code: 'context_length_exceeded' })],
  [
    'Cerebras',
    400,
    {
      message: 'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192',
      type: 'invalid_request_error',
      code: 'x',
    },
  ],
  [
    'xAI',
    400,
    {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
  ],
  ['Kimi', 400, openAi('Invalid request: Your request exceeded model token limit: 256000 (requested: 300000)')],
  ['MiniMax', 400, openAi('invalid params, context window exceeds limit (2013)')],
  ['z.ai', 400, openAi('x', { code: 'model_context_window_exceeded' })],
  ['DashScope', 400, openAi('<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]')],
  ['GitHub Models', 413, openAi('Request body too large for gpt-4o model. Max size: 8000 tokens.', { code: 'tokens_limit_reached' })],
  ['Copilot', 400, openAi('prompt token count of 200000 exceeds the limit of 128000')],
  ['TensorRT-LLM', 400, { message: 'Prompt length (5,121) exceeds maximum input length (4,096)' }],
  ['MLC', 400, { message: 'Request prompt has 5000 tokens in total, larger than the model input length limit 4096.' }],
  ['tabbyAPI', 400, { detail: 'Prompt length 5000 is greater than max_seq_len 4096' }],
  ['Cohere', 400, { message: 'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000.' }],
  [
    'Cloudflare',
    400,
    {
      errors: [
        {
          message:
            'AiError: The estimated number of input and maximum output tokens (5000) exceeded this model context window limit (4096).',
        },
      ],
    },
  ],
  [
    'OpenRouter',
    400,
    openAi(
      "This endpoint's maximum context length is 131072 tokens. However, you requested about 200000 tokens (199000 of text input, 1000 in the output).",
    ),
  ],
  [
    'OpenRouter, around another',
    400,
    {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: { raw: '{"error":{"message":"The prompt is too long: 5000, model maximum context length: 4096"}}', provider_name: 'x' },
      },
    },
  ],
  ['Chutes', 400, { detail: "The input (70000 tokens) is longer than the model's context length (32768 tokens)." }],
  [
    'LiteLLM, by its exception',
    400,
    proxied(
      'litellm.ContextWindowExceededError: litellm.BadRequestError: OpenAIException - too much. Received Model Group=m\nAvailable Model Group Fallbacks=None',
    ),
  ],
  [
    'LiteLLM around Anthropic',
    400,
    proxied(
      String.raw`litellm.BadRequestError: AnthropicException - b'{"type":"error","error":{"message":"input length and \`max_tokens\` exceed context limit: 179413 + 32768 > 200000"}}'`,
    ),
  ],
  [
    'LiteLLM, as unreachable',
    503,
    proxied(
      "litellm.APIConnectionError: OpenAIException - Requested token count exceeds the model's maximum context length of 131072 tokens.",
    ),
  ],
  ['FastAPI', 422, { detail: [{ loc: ['body'], msg: 'prompt is too long', type: 'value_error', input: 'x' }] }],
  ['a text', 400, 'Error: prompt is too long: 213,462 tokens > 200,000 maximum'],
]

test.each(overflows)('[PROV350] %s (%i): the question is too long', (_, status, body) => {
  const [parsed, text] = typeof body === 'string' ? [null, body] : [body as never, JSON.stringify(body)]
  expect(isOverflowRefusal(status, parsed, text)).toBe(true)
})

test('[PROV350] an error of hostile length is read in linear time', () => {
  const long = { error: { message: `${'maximum '.repeat(4000)}${'context length is 1 '.repeat(4000)}${'max_tokens '.repeat(4000)}` } }
  const deep = JSON.parse(`${'{"error":'.repeat(2000)}"prompt is too long"${'}'.repeat(2000)}`)
  expect([isOverflowRefusal(400, long), isOverflowRefusal(400, deep)]).toEqual([false, false])
})
