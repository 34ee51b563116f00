import { type commands, findEntry } from '#fleet/cli/commands.ts'
import { createProgram } from '#fleet/cli/create-program.ts'
import type { Card } from '#shared/contract/card.ts'
import { quietIo } from './judge-bench.ts'

const everywhere = new Set(['json', 'url', 'quiet', 'no-color', 'help'])
const cell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll('<', '&lt;')

/** The text of docs/commands.md: every command with its arguments, options and examples, as its parser has them. */
export async function commandsText(names: readonly (keyof typeof commands)[]): Promise<string> {
  const program = await createProgram(['complete'], quietIo(), () => undefined)
  const parts: string[] = []
  for (const name of names) {
    const command = program.commands.find((one) => one.name() === name)!
    const io = quietIo()
    await (await createProgram([name], io, () => undefined)).parseAsync([name, '--help'], { from: 'user' }).catch(() => undefined)
    const [, examples = ''] = io.lines.join('\n').split('\nExamples:\n')
    const words = command.registeredArguments.map((one) => (one.required ? one.name() : `[${one.name()}]`))
    const rows = command.options
      .filter(({ long }) => !everywhere.has(long!.slice(2)))
      .map(
        ({ flags, description, argChoices }) => `| \`${flags}\` | ${cell(description)}${argChoices ? `: ${argChoices.join(', ')}` : ''} |`,
      )
    const also = findEntry(name)
      ?.aliases?.map((alias) => `\`bench ${alias}\``)
      .join(', ')
    parts.push(
      [
        `## bench ${[name, ...words].join(' ')}`,
        also
          ? `${command.summary()} (also ${also}).`.replace(/^./, (first) => first.toUpperCase())
          : `${command.summary().replace(/^./, (first) => first.toUpperCase())}.`,
        ...(rows.length > 0 ? [`| option | meaning |\n|---|---|\n${rows.join('\n')}`] : []),
        `\`\`\`sh\n${examples.split('\n').map(commented).join('\n').trim()}\n\`\`\``,
      ].join('\n\n'),
    )
  }
  return `# Commands of bench\n\nWritten from the parser by \`npm run unit -- --project unit prove/documents/lists -u\`. Every command takes \`--json\`, \`--url URL\`, \`--quiet\`, \`--no-color\` and \`--help\`.\n\n${parts.join('\n\n')}\n`
}

/** An example with what it is for as a comment. */
const commented = (line: string): string => line.trim().replace(/ {3,}(\S.*)$/, '  # $1')

/** The text of docs/benchmarks.md: every benchmark as its card has it. */
export function benchmarksText(cards: readonly Card[]): string {
  const rows = cards.map((card) => {
    const { sandbox } = card.needs
    const needs = [...(sandbox ? [`a sandbox (${sandbox.kinds.join(', ')})`] : []), ...(card.data.gated ? ['access to gated data'] : [])]
    const profiles = card.profiles.map(({ id }) => `\`${id}\``).join(', ')
    return `| \`${card.name}\` | ${cell(card.display_name)} | ${card.total_items} | ${card.version} | ${profiles} | ${needs.join(', ')} |`
  })
  const head = '| name | benchmark | items | version | profiles | needs |\n|---|---|---|---|---|---|'
  return `# Benchmarks\n\nWritten from the cards by \`npm run unit -- --project unit prove/documents/lists -u\`: ${cards.length} benchmarks. The README in the folder of each says where it comes from.\n\n${head}\n${rows.join('\n')}\n`
}
