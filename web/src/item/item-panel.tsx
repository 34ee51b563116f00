import { Title } from '@solidjs/meta'
import { A, useNavigate } from '@solidjs/router'
import ChevronDown from 'lucide-solid/icons/chevron-down'
import ChevronUp from 'lucide-solid/icons/chevron-up'
import X from 'lucide-solid/icons/x'
import { createSignal, For, onMount, Show } from 'solid-js'
import type { RunItemDetail } from '#shared/contract/api.ts'
import { itemPath, runPath } from '../paths.ts'
import { getItem } from '../queries.ts'
import { CopyButton } from '../ui/copy.tsx'
import { useKeys } from '../ui/keys.ts'
import { OutcomeMark } from '../ui/mark.tsx'
import { Section } from '../ui/section.tsx'
import { EvidenceView } from './evidence/evidence-view.tsx'
import { ItemFields } from './item-fields.tsx'
import { type ItemFilter, readItemRef } from './item-filter.ts'
import { itemMarkdown } from './item-markdown.ts'
import { ItemUsage } from './item-usage.tsx'
import { PlainText } from './markdown-text.tsx'
import { PicturesField } from './record-fields.tsx'
import { Verdict } from './verdict.tsx'

/** One item: verdict first, then everything it rests on. */
export function ItemPanel(props: { runId: string; detail: RunItemDetail; filter: ItemFilter }) {
  const navigate = useNavigate()
  const [raw, setRaw] = createSignal(false)
  const [said, setSaid] = createSignal('')
  const record = () => props.detail.record
  let panel!: HTMLElement
  onMount(() => {
    // Where the panel covers the list, the focus must not stay behind it.
    if (!matchMedia('(min-width: 84rem)').matches) panel.focus({ preventScroll: true })
  })
  const pathOf = (ref: string | null) => {
    if (!ref) return undefined
    const { item_id, epoch } = readItemRef(ref)
    return itemPath(props.runId, record().benchmark, item_id, epoch, props.filter)
  }
  const go = (ref: string | null) => {
    const path = pathOf(ref)
    if (path) navigate(path, { scroll: false, replace: true })
  }
  // The neighbours within the wrong answers are those of the same item under another filter.
  const goWrong = async (side: 'previous' | 'next') => {
    const { benchmark, item_id, epoch } = record()
    const answer = await getItem(props.runId, benchmark, item_id, epoch, { ...props.filter, outcome: 'wrong', failure: undefined })
    if (answer.ok) go(answer.value[side])
  }
  const copy = async (text: string, what: string) => {
    await navigator.clipboard.writeText(text)
    setSaid(`${what} copied`)
    setTimeout(() => setSaid(''), 1500)
  }
  const permalink = () => location.origin + itemPath(props.runId, record().benchmark, record().item_id, record().epoch)
  const close = () => runPath(props.runId, props.filter)
  useKeys({
    j: () => go(props.detail.next),
    k: () => go(props.detail.previous),
    ']': () => void goWrong('next'),
    '[': () => void goWrong('previous'),
    y: () => void copy(permalink(), 'Link'),
    c: () => void copy(itemMarkdown(props.detail, permalink()), 'Markdown'),
    Escape: () => navigate(close(), { scroll: false }),
  })
  return (
    <article ref={panel} aria-labelledby="item-title" tabindex="-1" class="outline-none">
      <Title>{`${record().outcome}: ${props.detail.card.display_name} ${record().item_id} · Bench Runner`}</Title>
      <header class="sticky top-0 z-10 flex min-h-14 items-center gap-2 border-b border-line bg-surface px-5 py-2">
        <OutcomeMark outcome={record().outcome} />
        <h2 id="item-title" class="min-w-0 truncate font-semibold">
          {props.detail.card.display_name} {record().item_id}
          <Show when={record().epoch > 0}>
            <span class="font-normal text-muted"> epoch {record().epoch + 1}</span>
          </Show>
        </h2>
        <div class="ml-auto flex items-center gap-1">
          <span class="text-s text-moss" role="status">
            {said()}
          </span>
          <Step path={pathOf(props.detail.previous)} label="Previous item (k)" icon={ChevronUp} />
          <Step path={pathOf(props.detail.next)} label="Next item (j)" icon={ChevronDown} />
          <A href={close()} noScroll class="btn btn-icon" aria-label="Close item (Esc)" title="Close (Esc)">
            <X size={16} />
          </A>
        </div>
      </header>
      <Verdict record={record()} />
      <nav class="flex flex-wrap items-center gap-2 border-b border-line px-5 py-2" aria-label="Views of the item">
        <button type="button" class={`chip ${raw() ? '' : 'chip-on'}`} aria-pressed={!raw()} onClick={() => setRaw(false)}>
          Item
        </button>
        <button type="button" class={`chip ${raw() ? 'chip-on' : ''}`} aria-pressed={raw()} onClick={() => setRaw(true)}>
          Raw JSON
        </button>
        <span class="ml-auto flex gap-2">
          <button type="button" class="chip hover:text-ink" title="Copy link (y)" onClick={() => copy(permalink(), 'Link')}>
            Copy link
          </button>
        </span>
      </nav>
      <Show when={!raw()} fallback={<RawRecord detail={props.detail} />}>
        <ItemFields card={props.detail.card} record={record()} />
        <For each={record().messages}>
          {(message) => (
            <Section
              title={message.role === 'user' ? 'Prompt, as sent' : message.role === 'system' ? 'System prompt' : 'Earlier answer'}
              actions={<CopyButton text={message.content} label="Copy" />}
            >
              <PlainText text={message.content} lines={10} />
              <Show when={message.pictures?.length}>
                <PicturesField value={message.pictures} />
              </Show>
            </Section>
          )}
        </For>
        <Show when={record().evidence}>{(evidence) => <EvidenceView evidence={evidence()} record={record()} />}</Show>
        <ItemUsage record={record()} />
      </Show>
    </article>
  )
}

function Step(props: { path: string | undefined; label: string; icon: typeof X }) {
  return (
    <Show
      when={props.path}
      fallback={
        <span class="btn btn-icon opacity-40" aria-hidden="true">
          <props.icon size={16} />
        </span>
      }
    >
      {(path) => (
        <A href={path()} noScroll replace class="btn btn-icon" aria-label={props.label} title={props.label}>
          <props.icon size={16} />
        </A>
      )}
    </Show>
  )
}

function RawRecord(props: { detail: RunItemDetail }) {
  const text = () => JSON.stringify(props.detail.record, null, 2)
  return (
    <Section title="Record" actions={<CopyButton text={text()} label="Copy" />}>
      <pre class="text-s leading-5 break-words whitespace-pre-wrap">{text()}</pre>
    </Section>
  )
}
