import type { RunItemDetail } from '#shared/contract/api.ts'
import { answerCutFlag, evidenceName, sectionsOf } from '#shared/contract/evidence/evidence.ts'

/** An item as Markdown for an issue or a chat: verdict, prompt, answer. Model text goes into fences longer than any run of backticks in it. */
export function itemMarkdown(detail: RunItemDetail, link: string): string {
  const { record, card } = detail
  const verdict =
    record.outcome === 'failed'
      ? `failed: ${record.failure?.at}/${record.failure?.reason}`
      : `${record.outcome}: ${record.answer ?? 'no answer'}${record.expected === null ? '' : `, expected ${record.expected}`}`
  const parts = [
    `**${card.display_name}, item ${record.item_id}${record.epoch ? `, epoch ${record.epoch + 1}` : ''}**: ${verdict}`,
    link,
    ...record.messages.map((message) => `${message.role}\n${fenced(message.content)}`),
  ]
  const cut = record.flags.includes(answerCutFlag) ? `, its beginning (all of it is in ${evidenceName})` : ''
  for (const { title, text, scored } of sectionsOf(record.evidence)) if (scored) parts.push(`${title.toLowerCase()}${cut}\n${fenced(text)}`)
  return `${parts.join('\n\n')}\n`
}

function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), (run) => run[0].length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}
