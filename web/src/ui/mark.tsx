import type { BenchmarkStatus, RunStatus } from '#shared/contract/run.ts'
import type { EpisodeStatus, TaskStatus } from '#shared/contract/task-upload.ts'
import type { TrialOutcome } from '#shared/contract/trial.ts'

type Shape = 'dot' | 'half' | 'ring' | 'bars' | 'cross' | 'slash' | 'triangle' | 'check' | 'clock'
type Look = { word: string; shape: Shape; tone: string }

const moss = 'text-moss'
const papaya = 'text-papaya'
const grey = 'text-muted'

export const runLooks: Record<RunStatus, Look> = {
  queued: { word: 'waiting', shape: 'ring', tone: grey },
  running: { word: 'running', shape: 'half', tone: moss },
  paused: { word: 'paused', shape: 'bars', tone: grey },
  succeeded: { word: 'succeeded', shape: 'check', tone: moss },
  failed: { word: 'failed', shape: 'triangle', tone: papaya },
  canceled: { word: 'canceled', shape: 'slash', tone: grey },
  incomplete: { word: 'incomplete', shape: 'triangle', tone: papaya },
}
/** Paused not by its owner but because it cannot go on. */
const parkedLook: Look = { word: 'parked', shape: 'bars', tone: papaya }
const benchmarkLooks: Record<BenchmarkStatus, Look> = {
  pending: runLooks.queued,
  running: runLooks.running,
  succeeded: { ...runLooks.succeeded, word: 'done' },
  failed: runLooks.failed,
  skipped: runLooks.canceled,
  incomplete: runLooks.incomplete,
}
const outcomeLooks: Record<TrialOutcome, Look> = {
  right: { word: 'right', shape: 'check', tone: moss },
  wrong: { word: 'wrong', shape: 'cross', tone: 'text-ink' },
  failed: { word: 'failed', shape: 'triangle', tone: papaya },
}
const taskLooks: Record<TaskStatus, Look> = {
  pending: { word: 'not started', shape: 'ring', tone: grey },
  running: runLooks.running,
  completed: benchmarkLooks.succeeded,
  failed: runLooks.failed,
  cancelled: runLooks.canceled,
}
/** `failed` in the API is an episode that was graded and is not right; one that could not be graded is called broken here. */
const episodeLooks: Record<EpisodeStatus, Look> = {
  pending: runLooks.queued,
  running: runLooks.running,
  passed: { ...outcomeLooks.right, word: 'passed' },
  failed: { ...outcomeLooks.wrong, word: 'not passed' },
  error: { ...outcomeLooks.failed, word: 'broken' },
  timeout: { word: 'out of time', shape: 'clock', tone: 'text-ink' },
}

const paths: Record<Shape, string> = {
  dot: 'M8 4.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7Z',
  ring: 'M8 3.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9Z',
  half: 'M8 3.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9Zm0 0v9',
  bars: 'M6 4v8M10 4v8',
  cross: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  slash: 'M8 3.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM5 11l6-6',
  triangle: 'M8 3.5l5 9H3l5-9ZM8 7.5v2',
  check: 'M3.5 8.5l3 3 6-7',
  clock: 'M8 3.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM8 5.5V8l1.75 1.25',
}

function Mark(props: { look: Look; bare?: boolean }) {
  return (
    <span class={`inline-flex items-center gap-1.5 align-middle whitespace-nowrap ${props.look.tone}`}>
      <svg
        width="16"
        height="16"
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        stroke-width="1.75"
        stroke-linecap="round"
        stroke-linejoin="round"
        aria-hidden="true"
      >
        <path d={paths[props.look.shape]} />
        {props.look.shape === 'half' ? <path d="M8 3.5a4.5 4.5 0 0 0 0 9Z" fill="currentColor" /> : null}
      </svg>
      <span class={props.bare ? 'sr-only' : ''}>{props.look.word}</span>
    </span>
  )
}

/** Status and outcome are told by shape and word; colour only repeats it. */
export function RunMark(props: { status: RunStatus; parked?: boolean; bare?: boolean }) {
  const look = () => (props.parked && props.status === 'paused' ? parkedLook : runLooks[props.status])
  return <Mark look={look()} {...(props.bare ? { bare: true } : {})} />
}
export function BenchmarkMark(props: { status: BenchmarkStatus }) {
  return <Mark look={benchmarkLooks[props.status]} />
}
/** `none`: the word stands before a count of zero, of which nobody needs to be warned. */
export function OutcomeMark(props: { outcome: TrialOutcome; bare?: boolean; none?: boolean }) {
  const look = () =>
    props.none ? { ...outcomeLooks[props.outcome], shape: 'dot' as const, tone: 'text-faint' } : outcomeLooks[props.outcome]
  return <Mark look={look()} {...(props.bare ? { bare: true } : {})} />
}
export function TaskMark(props: { status: TaskStatus; bare?: boolean }) {
  return <Mark look={taskLooks[props.status]} {...(props.bare ? { bare: true } : {})} />
}
export function EpisodeMark(props: { status: EpisodeStatus; bare?: boolean }) {
  return <Mark look={episodeLooks[props.status]} {...(props.bare ? { bare: true } : {})} />
}
/** A trial that has not ended. */
export function TrialMark() {
  return <Mark look={{ word: 'under way', shape: 'half', tone: moss }} />
}

/** Whether a check was met. */
export function CheckMark(props: { met: boolean }) {
  return <Mark look={props.met ? { word: 'met', shape: 'check', tone: moss } : { word: 'not met', shape: 'cross', tone: 'text-ink' }} />
}
