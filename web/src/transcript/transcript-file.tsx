import { createEffect, createSignal, on } from 'solid-js'
import type { Step } from '#shared/contract/transcript.ts'
import { openStepLines } from '#shared/run/step-lines.ts'
import { type ApiProblem, askBytes } from '../api.ts'
import { count } from '../ui/format.ts'
import { ProblemNote } from '../ui/problem.tsx'
import { Section } from '../ui/section.tsx'
import { Show } from '../ui/show.tsx'
import { CallList } from './call-list.tsx'
import { StepList } from './transcript-view.tsx'

/** Steps that are drawn at first, and more of them each time they are asked for. */
const atOnce = 200

class Unread extends Error {
  readonly problem: ApiProblem
  constructor(problem: ApiProblem) {
    super(problem.detail)
    this.problem = problem
  }
}

/** A transcript too long for its record, from its file: read and drawn as far as somebody wants to see it. */
export function TranscriptFile(props: { url: string; bytes: number }) {
  const [steps, setSteps] = createSignal<readonly Step[]>([])
  const [state, setState] = createSignal<'reading' | 'more' | 'ended'>('reading')
  const [problem, setProblem] = createSignal<ApiProblem>()
  let lines = open(props.url, props.bytes)
  const more = async () => {
    const mine = lines
    setState('reading')
    setProblem(undefined)
    try {
      const found = await mine.next(atOnce)
      if (mine !== lines) return // another item was opened meanwhile
      setSteps((before) => [...before, ...found])
      setState(mine.ended() ? 'ended' : 'more')
    } catch (error) {
      if (mine !== lines) return
      setState('more')
      setProblem(error instanceof Unread ? error.problem : brokenFile(error))
    }
  }
  createEffect(
    on(
      () => [props.url, props.bytes] as const,
      ([url, bytes]) => {
        lines = open(url, bytes)
        setSteps([])
        void more()
      },
    ),
  )
  const title = () =>
    state() === 'ended' ? `What happened, ${count(steps().length)} steps` : `What happened, the first ${count(steps().length)} steps`
  return (
    <Section title={steps().length > 0 ? title() : 'What happened'}>
      <CallList steps={steps()} />
      <StepList steps={steps()} />
      <Show when={problem()}>{(told) => <ProblemNote problem={told()} retry={more} />}</Show>
      <Show when={state() !== 'ended' && !problem()}>
        <button type="button" class="btn mt-3" disabled={state() === 'reading'} onClick={() => void more()}>
          {state() === 'reading' ? 'Reading steps' : 'Show more steps'}
        </button>
      </Show>
    </Section>
  )
}

function open(url: string, bytes: number) {
  return openStepLines(async (from, to) => {
    const answer = await askBytes(url, from, to)
    if (answer.ok) return answer.value
    throw new Unread(answer.problem)
  }, bytes)
}

const brokenFile = (error: unknown): ApiProblem => ({
  code: 'bad-answer',
  title: 'The transcript was not understood',
  status: 0,
  detail: error instanceof Error ? error.message : String(error),
  errors: [],
  request_id: null,
})
