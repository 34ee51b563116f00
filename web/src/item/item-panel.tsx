import { Title } from '@solidjs/meta'
import { A, useNavigate } from '@solidjs/router'
import { createMemo, createSignal, For, onMount } from 'solid-js'
import type { RunItemDetail } from '#shared/contract/api.ts'
import type { ArtifactLink } from '#shared/contract/artifact.ts'
import { itemPath, runPath } from '../paths.ts'
import { CopyButton } from '../ui/copy.tsx'
import { copyText } from '../ui/copy-text.ts'
import { useKeys } from '../ui/keys.ts'
import { later } from '../ui/later.tsx'
import { Section } from '../ui/section.tsx'
import { Show } from '../ui/show.tsx'
import { ArtifactList } from './artifact-list.tsx'
import { EvidenceView } from './evidence/evidence-view.tsx'
import { ItemAgain } from './item-again.tsx'
import { ItemEpochs } from './item-epochs.tsx'
import { ItemFields, isSeen } from './item-fields.tsx'
import type { ItemFilter } from './item-filter.ts'
import { ItemHeader } from './item-header.tsx'
import { itemMarkdown } from './item-markdown.ts'
import { ItemParameters } from './item-parameters.tsx'
import { ItemUsage } from './item-usage.tsx'
import { useOpenItem } from './open-item.ts'
import { PromptMessage } from './prompt-message.tsx'
import { readChoices, readField } from './read-field.ts'
import { Verdict } from './verdict.tsx'

const TranscriptFile = later(async () => (await import('../transcript/transcript-file.tsx')).TranscriptFile)
const TranscriptView = later(async () => (await import('../transcript/transcript-view.tsx')).TranscriptView)

/** One item: verdict and answer first, then everything they rest on. `busy` while another item is on its way. */
export function ItemPanel(props: { runId: string; detail: RunItemDetail; filter: ItemFilter; busy: boolean }) {
  const navigate = useNavigate()
  const open = useOpenItem()
  const [raw, setRaw] = createSignal(false)
  const [said, setSaid] = createSignal('')
  const record = () => props.detail.record
  /** The transcript where it was too long for the record; a new item with the same one keeps what is drawn of it. */
  const transcriptFile = createMemo(
    () => props.detail.artifacts.find((one): one is ArtifactLink & { url: string } => one.kind === 'transcript' && one.url !== null),
    undefined,
    { equals: (before, after) => before?.url === after?.url },
  )
  const fields = (seen: boolean) => props.detail.card.fields.filter((field) => isSeen(field) === seen)
  let panel!: HTMLElement
  onMount(() => {
    // Where the panel covers the list, the focus must not stay behind it.
    if (!matchMedia('(min-width: 84rem)').matches) panel.focus({ preventScroll: true })
  })
  const copy = async (text: string, what: string) => {
    await copyText(text)
    setSaid(`${what} copied`)
    setTimeout(() => setSaid(''), 1500)
  }
  const permalink = () => location.origin + itemPath(props.runId, record().benchmark, record().item_id, record().epoch)
  const pathOf = (epoch: number) => itemPath(props.runId, record().benchmark, record().item_id, epoch, props.filter)
  const close = () => runPath(props.runId, props.filter)
  useKeys({
    j: () => open.step(1),
    k: () => open.step(-1),
    ']': () => void open.toWrong(1),
    '[': () => void open.toWrong(-1),
    y: () => void copy(permalink(), 'Link'),
    c: () => void copy(itemMarkdown(props.detail, permalink()), 'Markdown'),
    Escape: () => navigate(close(), { scroll: false }),
  })
  return (
    <article ref={panel} aria-labelledby="item-title" aria-busy={props.busy} tabindex="-1" class="outline-none">
      <Title>{`${record().outcome}: ${props.detail.card.display_name} ${record().item_id} · Bench Runner`}</Title>
      <ItemHeader
        detail={props.detail}
        close={close()}
        said={said()}
        raw={raw()}
        setRaw={setRaw}
        copyLink={() => copy(permalink(), 'Link')}
      />
      <div class={props.busy ? 'opacity-60' : ''}>
        <Verdict record={record()} />
        <Show when={props.detail.epochs.length > 1}>
          <ItemEpochs epochs={props.detail.epochs} current={record().epoch} pathOf={pathOf} />
        </Show>
        <Show when={!raw()} fallback={<RawRecord detail={props.detail} />}>
          <Show when={record().evidence}>
            {(evidence) => <EvidenceView evidence={evidence()} record={record()} artifacts={props.detail.artifacts} />}
          </Show>
          <ItemFields fields={fields(true)} record={record()} />
          <ItemFields fields={fields(false)} record={record()} />
          <For each={record().messages}>{(message) => <PromptMessage message={message} shown={shownTexts(props.detail)} />}</For>

          <Show when={record().transcript}>{(steps) => <TranscriptView steps={steps()} />}</Show>
          <Show when={transcriptFile()}>{(file) => <TranscriptFile url={file().url} bytes={file().bytes} />}</Show>

          <Show when={props.detail.artifacts.length > 0}>
            <ArtifactList artifacts={props.detail.artifacts} />
          </Show>
          <ItemParameters record={record()} />
          <ItemUsage record={record()} />
        </Show>
      </div>
      <ItemAgain runId={props.runId} record={record()} />
      <footer class="px-5 py-4 text-s text-faint">
        <A href={close()} noScroll class="link">
          Back to the list
        </A>
      </footer>
    </article>
  )
}

/** The texts of the item's own fields, as they are shown: what a prompt may repeat. */
function shownTexts({ card, record }: RunItemDetail): string[] {
  return card.fields
    .filter((field) => !isSeen(field) && ['text', 'markdown', 'choices'].includes(field.as))
    .flatMap((field) => {
      const value = readField(record, field.path)
      if (field.as === 'choices') return readChoices(value).map(([, text]) => text)
      return typeof value === 'string' && /question|problem|prompt/.test(field.path) ? [value] : []
    })
}

function RawRecord(props: { detail: RunItemDetail }) {
  const text = () => JSON.stringify(props.detail.record, null, 2)
  return (
    <Section title="Record" actions={<CopyButton text={text()} label="Copy" />}>
      <pre class="text-s leading-5 break-words whitespace-pre-wrap">{text()}</pre>
    </Section>
  )
}
