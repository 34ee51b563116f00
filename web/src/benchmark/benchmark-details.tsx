import { For, type JSX } from 'solid-js'
import type { BenchmarkInfo } from '#shared/contract/api.ts'
import { roleEntries, roleTitles } from '#shared/contract/role.ts'
import { needsText } from '#shared/run/needs-text.ts'
import { paramTexts } from '#shared/run/param-texts.ts'
import { count, duration, short } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'

/** Everything public about a benchmark: its data and where they come from, its profiles, its metrics. */
export function BenchmarkDetails(props: { one: BenchmarkInfo }) {
  const card = () => props.one.card
  return (
    <div class="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-2">
      <Facts title="Data">
        <Fact name="Items">{count(props.one.data_source === 'override' ? props.one.total_items : card().total_items)}</Fact>
        <Fact name="Here runs on">
          {props.one.data_source === 'pinned'
            ? 'the pinned data set'
            : props.one.data_source === 'sample'
              ? `the invented sample of ${count(card().sample_items)} items`
              : "the operator's own files"}
        </Fact>
        <Fact name="Source">
          <code class="break-all">{card().data.repo}</code>
        </Fact>
        <Fact name="Revision">
          <code class="break-all">{card().data.revision}</code>
        </Fact>
        <Fact name="Licence">{card().data.licence}</Fact>
        <Fact name="Access">{card().data.gated ? 'gated: item texts are shown to the run’s owner only' : 'open'}</Fact>
        <For each={card().data.files}>
          {(file) => (
            <Fact name={file.role}>
              <code class="break-all">{file.path}</code> <span class="text-muted">{count(file.rows)} rows</span>
              <code class="block text-s break-all text-faint">{file.sha256 ?? 'hash not known yet: the run records the one it saw'}</code>
            </Fact>
          )}
        </For>
      </Facts>
      <Facts title="Scoring">
        <Fact name="Version">
          {card().version} <code class="text-s break-all text-faint">{card().fingerprint.slice(0, 16)}</code>
        </Fact>
        <Fact name="Metrics">{card().metrics.join(', ')}</Fact>
        <Fact name="Evidence">{card().evidence}</Fact>
        <Fact name="Needs">{needsText(card().needs)}</Fact>
        <Fact name="Tokens an item">
          about {short(card().estimate.input_tokens)} in, {short(card().estimate.output_tokens)} out
        </Fact>
        <Fact name="Takes">
          {card().input.join(' and ')}
          {card().min_context === null ? '' : `, a context of at least ${count(card().min_context)} tokens`}
        </Fact>
        <Fact name="Latency so far">{duration(props.one.avg_item_latency_ms)}</Fact>
      </Facts>
      <For each={card().profiles}>
        {(profile) => (
          <Facts title={`Profile ${profile.id}${profile.id === card().default_profile ? ', the default' : ''}`}>
            <Fact name="Meaning">{profile.title}</Fact>
            <Fact name="Epochs">{profile.epochs}</Fact>
            <For each={roleEntries(profile.roles ?? {})}>
              {([role, helper]) => (
                <Fact name={roleTitles[role]}>
                  {helper.model}
                  {helper.provider === null ? '' : ` at ${helper.provider}`}
                  <span class="text-muted">{helper.schema ? ', structured replies' : ''}</span>
                </Fact>
              )}
            </For>
            <For each={paramTexts(profile.params)}>
              {([name, text]) => (
                <Fact name={name}>
                  <code>{text}</code>
                </Fact>
              )}
            </For>
            <For each={profile.texts}>
              {(text) => (
                <Fact name={text.id}>
                  <code class="break-all">
                    {text.repo}/{text.path}
                  </code>
                  <code class="block text-s break-all text-faint">
                    {text.symbol} @ {text.revision.slice(0, 12)}
                  </code>
                </Fact>
              )}
            </For>
          </Facts>
        )}
      </For>
      <Show when={props.one.setup_notes}>
        {(notes) => (
          <section class="box border-papaya-fill p-4 lg:col-span-2">
            <h2 class="font-semibold">Setup</h2>
            <p class="mt-1">{notes()}</p>
          </section>
        )}
      </Show>
    </div>
  )
}

function Facts(props: { title: string; children: JSX.Element }) {
  return (
    <section class="box p-4">
      <h2 class="mb-2 font-semibold">{props.title}</h2>
      <dl class="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-3 gap-y-1.5">{props.children}</dl>
    </section>
  )
}

function Fact(props: { name: string; children: JSX.Element }) {
  return (
    <>
      <dt class="truncate text-faint">{props.name}</dt>
      <dd>{props.children}</dd>
    </>
  )
}
