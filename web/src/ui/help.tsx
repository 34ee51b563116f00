import { For, onMount } from 'solid-js'
import X from '~icons/lucide/x'
import { useKeys } from './keys.ts'

const groups: { title: string; keys: [string, string][] }[] = [
  {
    title: 'Everywhere',
    keys: [
      ['?', 'this help'],
      ['/', 'search on this page'],
      ['Esc', 'close what is open'],
    ],
  },
  {
    title: 'Items of a run',
    keys: [
      ['End', 'last line of the list (Home: first, Page Down: one page on), with the list in focus'],
      ['j', 'next item in this filter'],
      ['k', 'previous item in this filter'],
      [']', 'next wrong answer'],
      ['[', 'previous wrong answer'],
      ['y', 'copy the link to this item'],
      ['c', 'copy the item as Markdown'],
    ],
  },
]

/** Keyboard help, opened by `?` or by the button that is given the dialog's `showModal`. */
export function HelpDialog(props: { opener(open: () => void): void }) {
  let dialog!: HTMLDialogElement
  const open = () => dialog.showModal()
  onMount(() => props.opener(open))
  useKeys({ '?': open, '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus() })
  return (
    <dialog
      ref={dialog}
      aria-labelledby="help-title"
      class="box m-auto w-[26rem] max-w-[calc(100vw-2rem)] p-5 text-ink shadow-box backdrop:bg-[rgb(0_0_0/0.45)]"
    >
      <div class="flex items-center justify-between">
        <h2 id="help-title" class="text-l font-semibold">
          Keys
        </h2>
        <button type="button" class="btn btn-icon" aria-label="Close" onClick={() => dialog.close()}>
          <X size={16} />
        </button>
      </div>
      <For each={groups}>
        {(group) => (
          <section class="mt-4">
            <h3 class="eyebrow">{group.title}</h3>
            <dl class="mt-1 grid grid-cols-[3.5rem_1fr] gap-y-1">
              <For each={group.keys}>
                {([key, text]) => (
                  <>
                    <dt>
                      <kbd class="rounded border border-line-strong bg-raised px-1.5 py-0.5">{key}</kbd>
                    </dt>
                    <dd>{text}</dd>
                  </>
                )}
              </For>
            </dl>
          </section>
        )}
      </For>
    </dialog>
  )
}
