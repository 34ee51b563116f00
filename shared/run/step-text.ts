import type { CallAside } from '../contract/aside.ts'
import { roleTitles } from '../contract/role.ts'
import type { Step, StepType } from '../contract/transcript.ts'
import { count, duration } from '../metrics/number-text.ts'

/** A step in words: a line, and the texts behind it. `bad` where something failed or was stopped. */
export type StepText = { line: string; parts: { title: string; text: string }[]; bad: boolean }

type Words = { [T in StepType]: (step: Extract<Step, { type: T }>) => StepText }

const words: Words = {
  model_call({ role, known, messages, reply, failure, took_ms, ttft_ms, usage, tools, aside }) {
    const told = [
      duration(took_ms),
      ...(ttft_ms === null ? [] : [`first token after ${duration(ttft_ms)}`]),
      `${count(usage.input_tokens)} tokens in, ${count(usage.output_tokens)} out`,
      ...(tools?.length ? [`${count(tools.length)} ${tools.length === 1 ? 'tool' : 'tools'} offered`] : []),
    ]
    const end = failure ? `failed: ${failure.at}/${failure.reason}` : reply ? (reply.finish_reason ?? 'answered') : 'stopped'
    const calls = reply?.tool_calls ?? []
    return {
      line: [`${roleTitles[role]} asked`, ...told, end].join(' · '),
      parts: [
        ...(known > 0
          ? [{ title: known === 1 ? 'The message it had before, and' : `The ${count(known)} messages it had before, and`, text: '' }]
          : []),
        ...messages.map(({ role: by, content, tool_calls = [] }) => ({
          title: by,
          text: [content, ...tool_calls.map(callText)].filter(Boolean).join('\n'),
        })),
        ...(reply?.reasoning ? [{ title: 'Reasoning', text: reply.reasoning }] : []),
        ...(reply ? [{ title: 'Reply', text: [reply.text, ...calls.map(callText)].filter(Boolean).join('\n') }] : []),
        ...(aside ? [{ title: 'Told beside it', text: asideText(aside) }] : []),
        ...(failure ? [{ title: 'Failure', text: failure.detail }] : []),
      ].filter(({ title, text }) => text !== '' || title.startsWith('The ')),
      bad: failure !== null || reply === null,
    }
  },
  tool_call: ({ name, arguments: written, result, is_error, took_ms }) => ({
    line: [`Tool ${name}`, ...(took_ms > 0 ? [duration(took_ms)] : []), is_error ? 'failed' : 'answered'].join(' · '),
    parts: [
      { title: 'Arguments', text: written },
      { title: 'Result', text: result },
    ],
    bad: is_error,
  }),
  exec: ({ command, end, exit_code, output, output_bytes, took_ms, artifact }) => ({
    line: [`Ran ${command.split('\n', 1)[0]}`, duration(took_ms), end === 'exited' ? `exit ${exit_code}` : end].join(' · '),
    parts: [
      { title: 'Command', text: command },
      { title: `Output, ${count(output_bytes)} bytes${artifact === null ? '' : `, whole in ${artifact}`}`, text: output },
    ],
    bad: end !== 'exited' || exit_code !== 0,
  }),
  note: ({ text }) => ({ line: text, parts: [], bad: false }),
  limit: ({ hit: { limit, most } }) => ({
    line: `Limit met: ${limit === 'usd' ? `$${most}` : `${count(most)} ${limit}`}`,
    parts: [],
    bad: true,
  }),
}

/** What a provider told beside an answer, a line for each thing. */
function asideText({ request_ids = {}, cost_usd, sandbox_seconds, events = {}, artifacts = [], finish_reason }: CallAside): string {
  return [
    ...Object.entries(request_ids).map(([name, id]) => `${name}: ${id}`),
    ...(cost_usd === undefined ? [] : [`cost, as it reckons: $${cost_usd}`]),
    ...(sandbox_seconds === undefined ? [] : [`seconds of sandboxes: ${sandbox_seconds}`]),
    ...(finish_reason === undefined ? [] : [`finish reason: ${finish_reason}`]),
    ...Object.entries(events).map(([name, times]) => `${name}: ${count(times)} ×`),
    ...artifacts.map(
      ({ display_name, id, mime_type, url }) => `left behind: ${[display_name ?? id, mime_type, url].filter(Boolean).join(', ')}`,
    ),
  ].join('\n')
}

const callText = ({ name, arguments: written }: { name: string | null; arguments: string }): string => `→ ${name ?? ''}(${written})`

/** A step of a transcript in words. */
export function stepText(step: Step): StepText {
  return (words[step.type] as (one: Step) => StepText)(step) // the type of the step itself picks its words
}
