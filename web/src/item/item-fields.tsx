import { For, type JSX, Switch } from 'solid-js'
import type { Card } from '#shared/contract/card.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { Section } from '../ui/section.tsx'
import { Match, Show } from '../ui/show.tsx'
import { MarkdownText, MathsText, PlainText } from './markdown-text.tsx'
import { readChoices, readField } from './read-field.ts'
import { ChecksField, DocumentsField, PicturesField, VerdictField } from './record-fields.tsx'

type Field = Card['fields'][number]

/** What the scorer saw and said (checks, a judge's verdict), as the card names it: it stands with the answer, the item's own fields after it. */
export const isSeen = ({ path }: Field): boolean => path.startsWith('detail.') || path.startsWith('evidence.')

/** Fields of an item, each in the way the benchmark's card names. */
export function ItemFields(props: { fields: readonly Field[]; record: TrialRecord }) {
  return (
    <For each={props.fields}>
      {(field) => {
        const value = () => readField(props.record, field.path)
        const text = () => (typeof value() === 'string' ? (value() as string) : JSON.stringify(value(), null, 1))
        return (
          <Show when={value() !== undefined}>
            <Section title={field.label}>
              <Switch fallback={<MathsText text={text()} />}>
                <Match when={field.as === 'choices'}>
                  <Choices options={readChoices(value())} record={props.record} />
                </Match>
                <Match when={field.as === 'markdown'}>
                  <MarkdownText text={text()} />
                </Match>
                <Match when={field.as === 'verdict'}>
                  <VerdictField value={value()} record={props.record} />
                </Match>
                <Match when={field.as === 'checks'}>
                  <ChecksField value={value()} record={props.record} />
                </Match>
                <Match when={field.as === 'documents'}>
                  <DocumentsField value={value()} />
                </Match>
                <Match when={field.as === 'pictures'}>
                  <PicturesField value={value()} />
                </Match>
                <Match when={field.as === 'code'}>
                  <PlainText text={text()} />
                </Match>
              </Switch>
            </Section>
          </Show>
        )
      }}
    </For>
  )
}

function Choices(props: { options: [string, string][]; record: TrialRecord }) {
  const note = (letter: string): JSX.Element => {
    const given = letter === props.record.answer
    const expected = letter === props.record.expected
    if (given && expected) return <span class="text-moss">given, right</span>
    if (expected) return <span class="text-moss">expected</span>
    return given ? <span class="text-muted">given</span> : undefined
  }
  return (
    <ol class="grid gap-px">
      <For each={props.options}>
        {([letter, text]) => (
          <li
            class={`flex gap-3 rounded-[4px] px-2 py-1 ${letter === props.record.expected ? 'bg-moss-soft' : letter === props.record.answer ? 'bg-raised' : ''}`}
          >
            <code class="text-faint">{letter}</code>
            <span class="min-w-0 flex-1">
              <MathsText text={text} />
            </span>
            <span class="text-s whitespace-nowrap">{note(letter)}</span>
          </li>
        )}
      </For>
    </ol>
  )
}
