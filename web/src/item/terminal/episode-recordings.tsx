import { createSignal, For } from 'solid-js'
import type { ArtifactLink } from '#shared/contract/artifact.ts'
import type { Step } from '#shared/contract/transcript.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { openStepLines } from '#shared/run/step-lines.ts'
import { type ApiProblem, askBytes } from '../../api.ts'
import { bytesText } from '../../ui/format.ts'
import { later } from '../../ui/later.tsx'
import { ProblemNote } from '../../ui/problem.tsx'
import { Section } from '../../ui/section.tsx'
import { Show } from '../../ui/show.tsx'
import type { Recording } from './load-recording.ts'
import type { Turn } from './turns.ts'

type Kept = ArtifactLink & { url: string }
type Opened = { recording: Recording; turns: readonly Turn[] }

/** Steps of a transcript in a file that are looked through for turns. */
const mostSteps = 20_000

const Player = later(async () => (await import('./recording-player.tsx')).RecordingPlayer)

/** The recordings of an episode's terminal, one for each step of the task. One is fetched when it is to be played. */
export function EpisodeRecordings(props: { record: TrialRecord; artifacts: readonly ArtifactLink[] }) {
  const recordings = () => props.artifacts.filter((one): one is Kept => one.kind === 'recording' && one.url !== null)
  const file = () => props.artifacts.find((one): one is Kept => one.kind === 'transcript' && one.url !== null)
  const steps = async (): Promise<readonly Step[]> => props.record.transcript ?? (await keptSteps(file()))
  return (
    <For each={recordings()}>
      {(one, at) => <OneRecording file={one} title={titleOf(one.name, recordings().length)} at={at()} steps={steps} />}
    </For>
  )
}

function OneRecording(props: { file: Kept; title: string; at: number; steps: () => Promise<readonly Step[]> }) {
  const [opened, setOpened] = createSignal<Opened>()
  const [read, setRead] = createSignal<number | null>(null)
  const [problem, setProblem] = createSignal<ApiProblem>()
  const open = async () => {
    const { url, bytes } = props.file
    setProblem(undefined)
    setRead(0)
    const [{ loadRecording }, { turnsOf }] = await Promise.all([import('./load-recording.ts'), import('./turns.ts')])
    const loaded = await loadRecording(url, bytes, setRead, () => props.file.url === url)
    if (!loaded) return
    if (!loaded.ok) {
      setRead(null)
      setProblem(loaded.problem)
      return
    }
    // A transcript that cannot be had leaves the recording as it is.
    const turns = turnsOf(await props.steps().catch(() => []))
    if (props.file.url === url) setOpened({ recording: loaded.value, turns: turns[props.at] ?? [] })
  }
  return (
    <Section title={props.title}>
      <Show
        when={opened()}
        fallback={
          <>
            <button type="button" class="btn" disabled={read() !== null} onClick={() => void open()}>
              {read() === null ? `Play the recording, ${bytesText(props.file.bytes)}` : `Reading, ${bytesText(read()!)}`}
            </button>
            <Show when={problem()}>{(told) => <ProblemNote problem={told()} retry={() => void open()} />}</Show>
          </>
        }
      >
        {(one) => <Player recording={one().recording} turns={one().turns} name={props.title} />}
      </Show>
    </Section>
  )
}

const titleOf = (name: string, all: number): string => (all === 1 ? 'Terminal' : `Terminal: ${/^steps\/([^/]+)\//.exec(name)?.[1] ?? name}`)

async function keptSteps(file: Kept | undefined): Promise<readonly Step[]> {
  if (!file) return []
  const read = async (from: number, to: number): Promise<Uint8Array> => {
    const part = await askBytes(file.url, from, to)
    if (part.ok) return part.value
    throw new Error(part.problem.detail)
  }
  return openStepLines(read, file.bytes).next(mostSteps)
}
