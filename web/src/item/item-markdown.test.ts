import { expect, test } from 'vitest'
import type { RunItemDetail } from '#shared/contract/api.ts'
import { itemMarkdown } from './item-markdown.ts'

const detail = (text: string) =>
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
    },
  }) as unknown as RunItemDetail

test('[UI15] model text stays inside its fence', () => {
  const text = 'see\n````\ncode\n````\nend'
  const copied = itemMarkdown(detail(text), 'https://example.org/i')
  expect(copied).toContain(`answer\n\`\`\`\`\`\n${text}\n\`\`\`\`\``)
  expect(copied.startsWith('**MMLU-Pro, item 7, epoch 2**: wrong: B, expected C')).toBe(true)
})
