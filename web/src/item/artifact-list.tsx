import { For } from 'solid-js'
import type { ArtifactLink } from '#shared/contract/artifact.ts'
import Download from '~icons/lucide/download'
import { bytesText, count } from '../ui/format.ts'
import { Section } from '../ui/section.tsx'
import { Show } from '../ui/show.tsx'

/** What a trial left behind besides its record, to be kept as files. */
export function ArtifactList(props: { artifacts: readonly ArtifactLink[] }) {
  return (
    <Section title={`Left behind, ${count(props.artifacts.length)} ${props.artifacts.length === 1 ? 'file' : 'files'}`}>
      <ul class="divide-y divide-line">
        <For each={props.artifacts}>
          {(one) => (
            <li class="flex items-baseline gap-3 py-1.5 text-s">
              <Show when={one.url} fallback={<span class="min-w-0 flex-1 break-words text-muted">{one.name}</span>}>
                {(url) => (
                  <a href={url()} download={one.name.split('/').at(-1)} rel="external" class="link min-w-0 flex-1 break-words">
                    <Download size={14} class="mr-1.5 inline" aria-hidden="true" />
                    {one.name}
                  </a>
                )}
              </Show>
              <span class="text-muted">{one.kind}</span>
              <span class="min-w-20 text-right text-faint tabular-nums">{bytesText(one.bytes)}</span>
            </li>
          )}
        </For>
      </ul>
    </Section>
  )
}
