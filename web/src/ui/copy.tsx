import { createSignal } from 'solid-js'
import Check from '~icons/lucide/check'
import Copy from '~icons/lucide/copy'
import { copyText } from './copy-text.ts'
import { Show } from './show.tsx'

/** A small button that copies its text and says so. */
export function CopyButton(props: { text: string; label: string; class?: string }) {
  const [done, setDone] = createSignal(false)
  const copy = async () => {
    await copyText(props.text)
    setDone(true)
    setTimeout(() => setDone(false), 1500)
  }
  return (
    <button type="button" class={`chip max-w-full hover:text-ink ${props.class ?? ''}`} onClick={copy}>
      <Show when={done()} fallback={<Copy size={13} aria-hidden="true" />}>
        <Check size={13} class="text-moss" aria-hidden="true" />
      </Show>
      <span aria-live="polite" class="truncate">
        {done() ? 'Copied' : props.label}
      </span>
    </button>
  )
}
