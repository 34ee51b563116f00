import { expect, test } from 'vitest'
import type { RunItemDetail } from '#shared/contract/api.ts'
import { itemMarkdown } from './item-markdown.ts'

const detail = (text: string, flags: string[] = []) =>
  ({
    card: { display_name: 'MMLU-Pro' },
    record: {
      item_id: '7',
      epoch: 1,
      outcome: 'wrong',
      answer: 'B',
      expected: 'C',
      messages: [{ role: 'user', content: 'Q' }],
      evidence: { kind: 'completion', text },
      failure: null,
      flags,
    },
  }) as unknown as RunItemDetail

test('[UI15] model text stays inside its fence', () => {
  const text = 'see\n````\ncode\n````\nend'
  const copied = itemMarkdown(detail(text), 'https://example.org/i')
  expect(copied).toContain(`answer\n\`\`\`\`\`\n${text}\n\`\`\`\`\``)
  expect(copied.startsWith('**MMLU-Pro, item 7, epoch 2**: wrong: B, expected C')).toBe(true)
})

test('[KIT23] a copy of an answer that is kept apart says that it is the beginning, and where the whole is', () => {
  expect(itemMarkdown(detail('The'), '/i')).toContain('answer\n```\nThe')
  expect(itemMarkdown(detail('The', ['answer_cut']), '/i')).toContain('answer, its beginning (all of it is in evidence.json)\n```\nThe')
})
