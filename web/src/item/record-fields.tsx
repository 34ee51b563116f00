import { For, Show } from 'solid-js'
import type { Picture } from '#shared/contract/evidence.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { count } from '../ui/format.ts'
import { OutcomeMark } from '../ui/mark.tsx'
import { PlainText } from './markdown-text.tsx'
import { readDocuments, readPictures, readVerdict } from './read-field.ts'

/** A judge's last reply: the verdict as it was counted, and the fields of a structured reply one by one. */
export function VerdictField(props: { value: unknown; record: TrialRecord }) {
  const read = () => readVerdict(props.value)
  return (
    <>
      <OutcomeMark outcome={props.record.outcome} />
      <Show when={read().fields} fallback={<PlainText text={read().text} />}>
        {(fields) => (
          <dl class="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
            <For each={fields()}>
              {([name, value]) => (
                <>
                  <dt class="text-faint">{name.replaceAll('_', ' ')}</dt>
                  <dd class="break-words">{value}</dd>
                </>
              )}
            </For>
          </dl>
        )}
      </Show>
    </>
  )
}

/** The documents a question rests on, in their order; their text stands in the prompt. */
export function DocumentsField(props: { value: unknown }) {
  return (
    <ol class="grid list-inside list-decimal gap-1">
      <For each={readDocuments(props.value)}>
        {({ name, chars }) => (
          <li class="break-words">
            {name} <span class="text-s text-faint">{count(chars)} characters</span>
          </li>
        )}
      </For>
    </ol>
  )
}

/** The pictures that were shown with a question, named by their hash: the record does not keep them. */
export function PicturesField(props: { value: unknown }) {
  const list = (): Pick<Picture, 'media_type' | 'sha256' | 'bytes'>[] => readPictures(props.value)
  return (
    <ul class="grid gap-1">
      <For each={list()}>
        {(picture) => (
          <li>
            {picture.media_type}, {count(picture.bytes)} bytes
            <code class="block text-s break-all text-faint">sha256 {picture.sha256}</code>
          </li>
        )}
      </For>
    </ul>
  )
}
