import { For } from 'solid-js'
import type { Picture } from '#shared/contract/message.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { count } from '../ui/format.ts'
import { CheckMark, OutcomeMark } from '../ui/mark.tsx'
import { Show } from '../ui/show.tsx'
import { PlainText } from './markdown-text.tsx'
import { readChecks, readDocuments, readPictures, readVerdict } from './read-field.ts'

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

/** What was checked, one line each, with a mark for every way in which the answer was read. */
export function ChecksField(props: { value: unknown; record: TrialRecord }) {
  return (
    <ul class="grid gap-2">
      <For each={readChecks(props.value, props.record.item_metadata.kwargs)}>
        {({ name, verdicts, args }) => (
          <li class="flex flex-wrap items-baseline gap-x-4 gap-y-1">
            <span class="min-w-0 flex-1 basis-60 break-words">
              {name}
              <For each={args}>
                {([label, value]) => (
                  <span class="block text-s break-words text-faint">
                    {label.replaceAll('_', ' ')}: {value.length > 200 ? `${value.slice(0, 200)}…` : value}
                  </span>
                )}
              </For>
            </span>
            <span class="flex gap-4">
              <For each={verdicts}>
                {([way, met]) => (
                  <span class="inline-flex items-center gap-1 text-s whitespace-nowrap">
                    <span class="text-faint">{way}</span> <CheckMark met={met} />
                  </span>
                )}
              </For>
            </span>
          </li>
        )}
      </For>
    </ul>
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
