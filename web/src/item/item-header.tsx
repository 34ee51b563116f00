import { A } from '@solidjs/router'
import type { RunItemDetail } from '#shared/contract/api.ts'
import ArrowDownToLine from '~icons/lucide/arrow-down-to-line'
import ChevronDown from '~icons/lucide/chevron-down'
import ChevronUp from '~icons/lucide/chevron-up'
import X from '~icons/lucide/x'
import { count, lengthText } from '../ui/format.ts'
import { OutcomeMark } from '../ui/mark.tsx'
import { Show } from '../ui/show.tsx'
import { itemTitle } from './item-row.ts'
import { useOpenItem } from './open-item.ts'

type Props = {
  detail: RunItemDetail
  close: string
  /** What has just been done, for a moment. */
  said: string
  raw: boolean
  setRaw: (raw: boolean) => void
  copyLink: () => void
}

/** Which item this is, where it stands in the list, and the ways on from it. It stays in view. */
export function ItemHeader(props: Props) {
  const open = useOpenItem()
  const record = () => props.detail.record
  return (
    <header class="sticky top-0 z-10 border-b border-line bg-surface px-5 py-2">
      <div class="flex min-h-9 items-center gap-2">
        <OutcomeMark outcome={record().outcome} />
        <h2 id="item-title" class="min-w-0 truncate font-semibold">
          {props.detail.card.display_name} {itemTitle(record())}
          <Show when={record().epoch > 0}>
            <span class="font-normal text-muted"> epoch {record().epoch + 1}</span>
          </Show>
        </h2>
        <span class="ml-auto text-s text-moss" role="status">
          {props.said}
        </span>
        <A href={props.close} noScroll class="btn btn-icon shrink-0" aria-label="Close item (Esc)" title="Close (Esc)">
          <X size={16} />
        </A>
      </div>
      <nav class="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1" aria-label="Ways on from this item">
        <Step
          at={(open.index() ?? 0) - 1}
          known={open.index() !== undefined}
          label="Previous item (k)"
          icon={ChevronUp}
          act={() => open.step(-1)}
        />
        <Step at={(open.index() ?? -1) + 1} known label="Next item (j)" icon={ChevronDown} act={() => open.step(1)} />
        <span class="mr-1 text-s whitespace-nowrap text-muted">
          <Place />
        </span>
        <button type="button" class="chip hover:text-ink" title="Next wrong answer in this list (])" onClick={() => void open.toWrong(1)}>
          <ArrowDownToLine size={13} aria-hidden="true" /> Next wrong
        </button>
        <span class="text-s text-muted" role="status">
          {open.notice()}
        </span>
        <span class="ml-auto flex gap-2">
          <button type="button" class="chip hover:text-ink" title="Copy link (y)" onClick={() => props.copyLink()}>
            Copy link
          </button>
          <button
            type="button"
            class={`chip hover:text-ink ${props.raw ? 'chip-on' : ''}`}
            aria-pressed={props.raw}
            onClick={() => props.setRaw(!props.raw)}
          >
            Raw JSON
          </button>
        </span>
      </nav>
    </header>
  )
}

/** `14 of 226`: the place in the list as it is filtered and ordered. */
function Place() {
  const open = useOpenItem()
  return (
    <Show when={open.length()}>
      {(length) => (
        <Show when={open.index() !== undefined} fallback={`not among the ${lengthText(length())} of this filter`}>
          {count(open.index()! + 1)} of {lengthText(length())}
        </Show>
      )}
    </Show>
  )
}

/** A link where the neighbour's line is loaded, so that it opens in a new tab as well; a button until then. */
function Step(props: { at: number; known: boolean; label: string; icon: typeof X; act: () => void }) {
  const open = useOpenItem()
  const none = () => props.known && (props.at < 0 || props.at >= (open.length()?.total ?? 0))
  const step = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    props.act()
  }
  return (
    <Show
      when={!none() && open.pathAt(props.at)}
      fallback={
        <button
          type="button"
          class="btn btn-icon"
          aria-label={props.label}
          title={props.label}
          disabled={none()}
          onClick={() => props.act()}
        >
          <props.icon size={16} />
        </button>
      }
    >
      {(path) => (
        <A href={path()} noScroll replace class="btn btn-icon" aria-label={props.label} title={props.label} onClick={step}>
          <props.icon size={16} />
        </A>
      )}
    </Show>
  )
}
