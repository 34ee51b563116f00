import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reasoningTags } from '../../scorers/reasoning.ts'

test('[SCORE310] the tags are named where deviations are told', () => {
  const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
  for (const { open } of reasoningTags) expect(readme).toContain(`\`${open}\``)
  expect(readme).toContain('`<|channel|>final<|message|>`')
})
