import { finishFamilies } from '../finish-reasons.ts'

/** An answer as a model gave it, before a server puts it into a dialect. */
export type Ideal = {
  text: string
  reasoning: string
  calls: { id: string | null; name: string; arguments: string }[]
  usage: { input: number; output: number; cached: number }
}
type Call = Ideal['calls'][number]
type Usage = Ideal['usage']

/** Cuts a text into as many pieces as it has, at most three. */
export const thirds = (text: string): string[] => {
  const size = Math.max(1, Math.ceil(text.length / 3))
  return [text.slice(0, size), text.slice(size, 2 * size), text.slice(2 * size)].filter((piece) => piece !== '')
}

/** Where reasoning stands: a delta for a piece of it. */
export const reasoningForms = {
  reasoning_content: (piece) => ({ reasoning_content: piece }),
  reasoning: (piece) => ({ reasoning: piece }),
  'both names': (piece) => ({ reasoning: piece, reasoning_content: piece }),
  reasoning_text: (piece) => ({ reasoning_text: piece }),
  thinking: (piece) => ({ thinking: piece }),
  'details, text': (piece) => ({ content: '', reasoning_details: [{ type: 'reasoning.text', text: piece, index: 0 }] }),
  'details, summary': (piece) => ({
    reasoning_details: [
      { type: 'reasoning.summary', summary: piece },
      { type: 'reasoning.encrypted', data: 'eA==' },
    ],
  }),
  'details beside a text': (piece) => ({ reasoning: piece, reasoning_details: [{ type: 'reasoning.text', text: piece }] }),
  'part, Mistral': (piece) => ({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: piece }] }] }),
  'part, plain': (piece) => ({ content: [{ type: 'reasoning', text: piece }] }),
  'part, Databricks': (piece) => ({ content: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: piece }] }] }),
} as const satisfies Record<string, (piece: string) => object>

/** How a piece of the answer's text stands in a choice. */
export const textForms = {
  content: (piece) => ({ delta: { content: piece } }),
  parts: (piece) => ({ delta: { content: [{ type: 'text', text: piece }] } }),
  'text of a completion': (piece) => ({ text: piece }),
  'text beside an empty delta': (piece) => ({ delta: {}, text: piece }),
  'message beside the delta': (piece) => ({ delta: { content: piece }, message: { role: 'assistant', content: piece } }),
  'null beside it': (piece) => ({ delta: { content: piece, reasoning: null, tool_calls: null, refusal: null, function_call: null } }),
  refusal: (piece) => ({ delta: { content: null, refusal: piece } }),
  'refusal, part': (piece) => ({ delta: { content: [{ type: 'refusal', refusal: piece }] } }),
} as const satisfies Record<string, (piece: string) => object>

type ToolForm = { fragments: (calls: readonly Call[]) => object[][]; ids?: false; one?: true }

const fn = (call: Partial<Call>) => ({
  ...('name' in call && { name: call.name }),
  ...('arguments' in call && { arguments: call.arguments }),
})
/** The head of a call, then its arguments in pieces; `head` and `more` dress the fragments. */
const piecewise = (head: (call: Call, index: number) => object, more: (call: Call, index: number, piece: number) => object) => {
  return (calls: readonly Call[]): object[][] =>
    calls.flatMap((call, index) => [
      [{ type: 'function', ...head(call, index), function: { ...fn({ name: call.name, arguments: '' }), ...overlay(head(call, index)) } }],
      ...thirds(call.arguments).map((piece, at) => [
        { ...more(call, index, at), function: { ...overlay(more(call, index, at)), arguments: piece } },
      ]),
    ])
}
const overlay = (fragment: object): object => ('function' in fragment ? (fragment.function as object) : {})
const whole = (dress: (call: Call, index: number) => object) => (calls: readonly Call[]) =>
  calls.map((call, index) => [
    { type: 'function', id: call.id, function: { name: call.name, arguments: call.arguments }, ...dress(call, index) },
  ])

/** How tool calls come: the fragments of each delta. `ids: false`: no id is told; `one`: the form holds a single call. */
export const toolForms: Record<string, ToolForm> = {
  'by index': {
    fragments: piecewise(
      ({ id }, index) => ({ index, id }),
      (_, index) => ({ index }),
    ),
  },
  'index from 1': {
    fragments: piecewise(
      ({ id }, index) => ({ index: index + 1, id }),
      (_, index) => ({ index: index + 1 }),
    ),
  },
  'index always 0': {
    fragments: piecewise(
      ({ id }) => ({ index: 0, id }),
      () => ({ index: 0 }),
    ),
  },
  'index always 0, whole': { fragments: whole(() => ({ index: 0 })) },
  'index missing': {
    fragments: piecewise(
      ({ id }) => ({ id }),
      () => ({}),
    ),
  },
  'index null': {
    fragments: piecewise(
      ({ id }) => ({ index: null, id }),
      () => ({ index: null, id: null }),
    ),
  },
  'index a text': {
    fragments: piecewise(
      ({ id }, index) => ({ index: String(index), id }),
      (_, index) => ({ index: String(index) }),
    ),
  },
  'id on every fragment, no index': {
    fragments: piecewise(
      ({ id }) => ({ id }),
      ({ id }) => ({ id }),
    ),
  },
  'id and name on every fragment': {
    fragments: piecewise(
      ({ id }) => ({ index: 0, id }),
      ({ id, name }) => ({ index: 0, id, function: { name } }),
    ),
  },
  'another id on every fragment': {
    fragments: piecewise(
      ({ id }, index) => ({ index, id }),
      ({ id }, index, piece) => ({ index, id: `${id}-${piece}` }),
    ),
  },
  'empty id and name later': {
    fragments: piecewise(
      ({ id }, index) => ({ index, id }),
      (_, index) => ({ index, id: '', function: { name: '' } }),
    ),
  },
  'null id and name later': {
    fragments: piecewise(
      ({ id }, index) => ({ index, id }),
      (_, index) => ({ index, id: null, type: null, function: { name: null } }),
    ),
  },
  'empty object first': {
    fragments: piecewise(
      ({ id }, index) => ({ index, id, function: { arguments: '{}' } }),
      (_, index) => ({ index }),
    ),
  },
  'all in one list': { fragments: (calls) => [whole((_, index) => ({ index }))(calls).flat()] },
  'all in one list, no index': { fragments: (calls) => [whole(() => ({}))(calls).flat()] },
  'no id, no index, whole': { fragments: whole(() => ({ id: undefined })), ids: false },
  'empty id, index always 0, whole': { fragments: whole(() => ({ id: '', index: 0 })), ids: false },
  'arguments an object': {
    fragments: whole(({ name, arguments: written }, index) => ({ index, function: { name, arguments: JSON.parse(written) } })),
  },
  interleaved: {
    fragments: (calls) => {
      const heads = calls.map(({ id, name }, index) => [{ index, id, type: 'function', function: { name, arguments: '' } }])
      const pieces = calls.map((call) => thirds(call.arguments))
      return [
        ...heads,
        ...[0, 1, 2].map((at) => pieces.flatMap((all, index) => (all[at] ? [{ index, function: { arguments: all[at] } }] : []))),
      ]
    },
  },
  function_call: { fragments: () => [], ids: false, one: true },
}

type UsageForm = {
  /** Fields of the finishing chunk, of its choice, of a chunk of its own before or behind it. */
  chunk?: (usage: Usage) => object
  choice?: (usage: Usage) => object
  first?: (usage: Usage) => object
  last?: (usage: Usage) => object
  /** Whether usage can be known by it, and whether cached tokens are told. */
  known: boolean
  cached?: true
}

const counts = ({ input, output }: Usage) => ({ prompt_tokens: input, completion_tokens: output, total_tokens: input + output })
const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
const own = (usage: object) => ({ choices: [], usage })

/** Where usage stands and under which names. */
export const usageForms: Record<string, UsageForm> = {
  'chunk of its own': {
    last: (usage) => own({ ...counts(usage), prompt_tokens_details: { cached_tokens: usage.cached } }),
    known: true,
    cached: true,
  },
  'with the finish reason': { chunk: (usage) => ({ usage: counts(usage) }), known: true },
  'in the choice': { choice: (usage) => ({ usage: { ...counts(usage), cached_tokens: usage.cached } }), known: true, cached: true },
  x_groq: { chunk: (usage) => ({ x_groq: { id: 'r', usage: counts(usage) } }), known: true },
  'zeros behind it': { chunk: (usage) => ({ usage: counts(usage) }), last: () => own(zeros), known: true },
  'zeros in the chunk, figures in the choice': {
    choice: (usage) => ({ usage: counts(usage) }),
    chunk: () => ({ usage: zeros }),
    known: true,
  },
  'null behind it': { chunk: (usage) => ({ usage: counts(usage) }), last: () => own({ prompt_tokens: null }), known: true },
  'Anthropic, cache beside the input': {
    last: ({ input, output, cached }) =>
      own({ input_tokens: input - cached, output_tokens: output, cache_read_input_tokens: cached, cache_creation_input_tokens: 0 }),
    known: true,
    cached: true,
  },
  'Anthropic, first input and then output': {
    first: ({ input }) => ({ choices: [], usage: { input_tokens: input, output_tokens: 1 } }),
    last: ({ output }) => own({ output_tokens: output }),
    known: true,
  },
  'OpenAI names with a cache field of Anthropic': {
    last: (usage) => own({ ...counts(usage), cache_read_input_tokens: usage.cached }),
    known: true,
    cached: true,
  },
  texts: { last: ({ input, output }) => own({ prompt_tokens: String(input), completion_tokens: `${output}.0` }), known: true },
  timings: {
    chunk: ({ input, output, cached }) => ({ timings: { prompt_n: input - cached, predicted_n: output, cache_n: cached } }),
    known: true,
    cached: true,
  },
  'DeepSeek cache': { last: (usage) => own({ ...counts(usage), prompt_cache_hit_tokens: usage.cached }), known: true, cached: true },
  'total and input': { last: ({ input, output }) => own({ prompt_tokens: input, total_tokens: input + output }), known: true },
  'total only': { last: ({ input, output }) => own({ total_tokens: input + output }), known: false },
  'zeros only': { last: () => own(zeros), known: false },
  none: { known: false },
}

const spellings: ((reason: string) => string)[] = [
  (reason) => reason,
  (reason) => reason.toUpperCase(),
  (reason) => reason.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  (reason) => `FinishReason.${reason.toUpperCase()}`,
  (reason) => `FINISH_REASON_${reason.toUpperCase()}`,
]

/** Every finish reason of the families in every spelling. */
export const finishForms = finishFamilies.flatMap(({ means, reasons }) =>
  reasons.flatMap((reason) => spellings.map((spell) => ({ spelled: spell(reason), means }))),
)

/** Words that an error holds, by which it is known again. */
export const errorWords = 'engine died'
const error = { message: errorWords, type: 'server_error', code: 500 }

/** Errors under status 200: the JSON of a frame, or its text, and the name of its event. */
export const errorForms: Record<string, { json: object | string; event?: string }> = {
  'error, object': { json: { error } },
  'error, text': { json: { error: errorWords } },
  'error in the choice': { json: { choices: [{ index: 0, delta: {}, error, finish_reason: 'error' }] } },
  'error beside choices': { json: { choices: [{ index: 0, delta: { content: '' }, finish_reason: null }], error } },
  'object: error': { json: { object: 'error', ...error } },
  'type: error': { json: { type: 'error', message: errorWords } },
  'event: error': { json: { reason: errorWords }, event: 'error' },
  'event: error, a JSON text': { json: JSON.stringify(errorWords), event: 'error' },
  'list of errors': { json: [{ error }] },
  'event: error, a text': { json: errorWords, event: 'error' },
  'code and message': { json: { code: 500, message: errorWords } },
  'code as a text, msg': { json: { code: '1234', msg: errorWords, choices: [] } },
  'detail, text': { json: { detail: errorWords } },
  'detail, list': { json: { detail: [{ type: 'x', msg: errorWords, loc: ['body'] }] } },
  'errors, list': { json: { errors: [{ message: errorWords, code: 7000 }] } },
  'success: false': { json: { success: false, message: errorWords } },
  base_resp: { json: { choices: null, base_resp: { status_code: 1000, status_msg: errorWords } } },
  'status: error': { json: { status: 'error', message: errorWords } },
}

/** What comes between chunks to keep a connection open. */
export const heartbeats: Record<string, string> = {
  none: '',
  comment: ': keep-alive\n\n',
  'empty data': 'data:\n\n',
  'blank data': 'data:  \n\n',
  'event: ping': 'event: ping\ndata: {"type":"ping"}\n\n',
  'event: ping, a word': 'event: ping\ndata: ping\n\n',
  word: 'data: keepalive\n\n',
  'comment in data': 'data: : OPENROUTER PROCESSING\n\n',
}

/** What comes behind a finished answer, and how its body ends: in order, broken off, or never. */
export const trailings: Record<string, { text: string; end: 'closed' | 'broken' | 'silent' }> = {
  done: { text: 'data: [DONE]\n\n', end: 'closed' },
  'done, small letters': { text: 'data: [done]\n\n', end: 'closed' },
  'done, quoted': { text: 'data: "[DONE]"\n\n', end: 'closed' },
  'done, unterminated': { text: 'data: [DONE]', end: 'closed' },
  nothing: { text: '', end: 'closed' },
  'broken off': { text: '', end: 'broken' },
  silence: { text: '', end: 'silent' },
  pings: { text: ': ping\n\ndata: \n\n', end: 'silent' },
  'cost chunk': { text: 'data: {"choices":[],"cost":"0"}\n\ndata: [DONE]\n\n', end: 'closed' },
  'bad JSON': { text: 'data: {"choices":[],"cost":NaN}\n\ndata: [DONE]\n\n', end: 'closed' },
  'a text': { text: 'data: bye\n\n', end: 'silent' },
  'odd usage': { text: 'data: {"choices":[],"usage":"n/a"}\n\n', end: 'closed' },
  'an error': { text: 'data: {"error":{"message":"too late"}}\n\n', end: 'closed' },
}
