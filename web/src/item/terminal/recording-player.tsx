import { createMemo, For } from 'solid-js'
import { eventsUntil, type Mark, openReplay, timelineOf } from '#shared/terminal/replay.ts'
import Pause from '~icons/lucide/pause'
import Play from '~icons/lucide/play'
import SkipBack from '~icons/lucide/skip-back'
import SkipForward from '~icons/lucide/skip-forward'
import { CopyButton } from '../../ui/copy.tsx'
import { duration } from '../../ui/format.ts'
import { Show } from '../../ui/show.tsx'
import { type Frame, frameOf, textOf } from './frame.ts'
import type { Recording } from './load-recording.ts'
import { createPlayClock, speeds } from './play-clock.ts'
import { TerminalScreen } from './terminal-screen.tsx'
import { TurnList } from './turn-list.tsx'
import type { Turn } from './turns.ts'

const stepMs = 5000
/** A mark that was passed so lately is not where `previous` goes back to. */
const nearMs = 1000

/** A recording that can be played, with the turns that were taken in it. Where motion is unwanted it stands at its end at first. */
export function RecordingPlayer(props: { recording: Recording; name: string; turns: readonly Turn[] }) {
  const { header, events } = props.recording
  const timeline = timelineOf(events)
  const replay = openReplay(header, events)
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const clock = createPlayClock(timeline.length_ms, { at_ms: calm ? timeline.length_ms : 0, playing: !calm })
  const shown = createMemo(() => eventsUntil(timeline.times, clock.at()))
  const frame = createMemo<Frame>((before) => frameOf(replay.at(shown()), before ?? null))
  const mark = createMemo(() => timeline.marks.findLast(({ event }) => event < shown()))
  const goTo = (to: Mark | undefined, otherwise: number): void => {
    clock.seek(to?.at_ms ?? otherwise)
  }
  const next = () =>
    goTo(
      timeline.marks.find(({ at_ms }) => at_ms > clock.at()),
      timeline.length_ms,
    )
  const previous = () =>
    goTo(
      timeline.marks.findLast(({ at_ms }) => at_ms < clock.at() - (clock.playing() ? nearMs : 0)),
      0,
    )
  const keys: Record<string, () => void> = {
    ' ': clock.toggle,
    ArrowLeft: () => clock.seek(clock.at() - stepMs),
    ArrowRight: () => clock.seek(clock.at() + stepMs),
    'Shift+ArrowLeft': previous,
    'Shift+ArrowRight': next,
    Home: () => clock.seek(0),
    End: () => clock.seek(timeline.length_ms),
  }
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target as HTMLElement
    if (target.closest('select, summary') || (event.key === ' ' && target.closest('button, a'))) return
    const act = keys[event.shiftKey ? `Shift+${event.key}` : event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  const where = () => `${duration(clock.at())} of ${duration(timeline.length_ms)}${mark() ? `, ${mark()!.label}` : ''}`
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the controls inside hold for all of them
    <div onKeyDown={press}>
      <TerminalScreen frame={frame()} label={`${props.name}, the screen at ${where()}`} />
      <div class="mt-2 flex flex-wrap items-center gap-2">
        <button type="button" class="btn btn-icon" aria-label="Previous mark" title="Previous mark (Shift ←)" onClick={previous}>
          <SkipBack size={16} aria-hidden="true" />
        </button>
        <button
          type="button"
          class="btn btn-icon"
          aria-label={clock.playing() ? 'Pause' : 'Play'}
          title={clock.playing() ? 'Pause (space)' : 'Play (space)'}
          onClick={clock.toggle}
        >
          <Show when={clock.playing()} fallback={<Play size={16} aria-hidden="true" />}>
            <Pause size={16} aria-hidden="true" />
          </Show>
        </button>
        <button type="button" class="btn btn-icon" aria-label="Next mark" title="Next mark (Shift →)" onClick={next}>
          <SkipForward size={16} aria-hidden="true" />
        </button>
        <Seek marks={timeline.marks} length_ms={timeline.length_ms} at_ms={clock.at()} text={where()} seek={clock.seek} />
        <span class="num text-s text-muted">
          {duration(clock.at())} / {duration(timeline.length_ms)}
        </span>
        <select class="field" aria-label="Speed" onChange={(event) => clock.setSpeed(Number(event.currentTarget.value))}>
          <For each={speeds}>
            {(one) => (
              <option value={one} selected={one === clock.speed()}>
                {one}×
              </option>
            )}
          </For>
        </select>
        <CopyButton text={textOf(frame())} label="Copy screen" />
      </div>
      <p class="mt-1 text-s text-faint">
        Where nothing happened for more than two seconds, two are shown.
        <Show when={props.recording.cut}> The recording goes on behind what is played here: the file has the whole.</Show>
      </p>
      <Show when={props.turns.length > 0}>
        <TurnList
          turns={props.turns}
          current={/^Turn (\d+)$/.exec(mark()?.label ?? '')?.[1] ?? null}
          open={(number) => {
            clock.pause()
            goTo(
              timeline.marks.find(({ label }) => label === `Turn ${number}`),
              clock.at(),
            )
          }}
        />
      </Show>
    </div>
  )
}

/** The bar: where the replay stands, with a line at each mark. */
function Seek(props: { marks: readonly Mark[]; length_ms: number; at_ms: number; text: string; seek(ms: number): void }) {
  return (
    <div class="relative min-w-40 flex-1">
      <input
        type="range"
        class="seek block w-full"
        min="0"
        max={Math.max(1, props.length_ms)}
        step="any"
        value={props.at_ms}
        aria-label="Place in the recording"
        aria-valuetext={props.text}
        onInput={(event) => props.seek(Number(event.currentTarget.value))}
      />
      <div class="pointer-events-none absolute inset-x-2 top-full h-1" aria-hidden="true">
        <For each={props.marks}>
          {(mark) => <span class="absolute h-1 w-px bg-muted" style={{ left: `${(100 * mark.at_ms) / Math.max(1, props.length_ms)}%` }} />}
        </For>
      </div>
    </div>
  )
}
