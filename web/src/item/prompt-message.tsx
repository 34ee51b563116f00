import type { Message } from '#shared/contract/message.ts'
import { CopyButton } from '../ui/copy.tsx'
import { count } from '../ui/format.ts'
import { Section } from '../ui/section.tsx'
import { Show } from '../ui/show.tsx'
import { PlainText } from './markdown-text.tsx'
import { PicturesField } from './record-fields.tsx'
import { repeatsTexts } from './repeats.ts'

const titles: Record<Message['role'], string> = {
  user: 'Prompt, as sent',
  system: 'System prompt',
  assistant: 'Earlier answer',
  tool: 'Result of a tool',
}

type Props = {
  message: Message
  /** What is already shown of the item; a prompt that says nothing else is folded as a whole. */
  shown: readonly string[]
}

/** One message of a prompt. What it begins with in common with other items is folded: the item's own part is what people look for. */
export function PromptMessage(props: Props) {
  const repeats = () => repeatsTexts(props.message.content.slice(props.message.opening ?? 0), props.shown)
  return (
    <Section title={titles[props.message.role]} actions={<CopyButton text={props.message.content} label="Copy" />}>
      <Show when={repeats()} fallback={<Content message={props.message} />}>
        <details>
          <summary class="text-s text-muted">
            {count(props.message.content.length)} characters: the question{props.shown.length > 1 ? ' and the options' : ''} above, as they
            were put to the model
          </summary>
          <div class="mt-2">
            <Content message={props.message} />
          </div>
        </details>
      </Show>
    </Section>
  )
}

function Content(props: { message: Message }) {
  const opening = () => props.message.opening ?? 0
  return (
    <>
      <Show when={opening() > 0}>
        <details class="mb-2">
          <summary class="text-s text-muted">
            It begins with {count(opening())} characters that other items of the run begin with too
          </summary>
          <div class="mt-2">
            <PlainText text={props.message.content.slice(0, opening())} lines={10} />
          </div>
        </details>
      </Show>
      <PlainText text={props.message.content.slice(opening())} lines={10} />
      <Show when={props.message.pictures?.length}>
        <PicturesField value={props.message.pictures} />
      </Show>
    </>
  )
}
