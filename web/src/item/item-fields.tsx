import { For, type JSX, Match, Show, Switch } from 'solid-js'
import type { Card } from '#shared/contract/card.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { Section } from '../ui/section.tsx'
import { MarkdownText, PlainText } from './markdown-text.tsx'
import { readChoices, readField } from './read-field.ts'
import { DocumentsField, PicturesField, VerdictField } from './record-fields.tsx'

/** What the benchmark's card wants shown of an item, each field in the way the card names. */
export function ItemFields(props: { card: Card; record: TrialRecord }) {
  return (
    <For each={props.card.fields}>
      {(field) => {
        const value = () => readField(props.record, field.path)
        const text = () => (typeof value() === 'string' ? (value() as string) : JSON.stringify(value(), null, 1))
        return (
          <Show when={value() !== undefined}>
            <Section title={field.label}>
              <Switch fallback={<p class="break-words">{text()}</p>}>
                <Match when={field.as === 'choices'}>
                  <Choices options={readChoices(value())} record={props.record} />
                </Match>
                <Match when={field.as === 'markdown'}>
                  <MarkdownText text={text()} />
                </Match>
                <Match when={field.as === 'verdict'}>
                  <VerdictField value={value()} record={props.record} />
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
            <span class="min-w-0 flex-1 break-words">{text}</span>
            <span class="text-s whitespace-nowrap">{note(letter)}</span>
          </li>
        )}
      </For>
    </ol>
  )
}
