import { createMemo, For } from 'solid-js'
import { count } from '../ui/format.ts'

export type Line = { name: string; dashed?: boolean; values: readonly (number | null)[] }
type Point = { x: number; y: number }

const height = 96
/** Milliseconds without a sample after which a line breaks. */
const minuteGapMs = 150_000

type ChartProps = {
  title: string
  moments: readonly string[]
  lines: readonly Line[]
  /** Writes a value; a count unless set. */
  text?: (value: number) => string
  /** Upper end of the scale; the largest value unless set. */
  most?: number
  gapMs?: number
}

/** Draws values over time as lines of one scale. A line breaks where nothing was measured; the caption has the newest value of each. */
export function LineChart(props: ChartProps) {
  const times = createMemo(() => props.moments.map((moment) => Date.parse(moment)))
  const most = createMemo(() => props.most ?? Math.max(1, ...props.lines.flatMap(({ values }) => values.map((value) => value ?? 0))))
  const text = (value: number | null | undefined) => (value == null ? 'unknown' : (props.text ?? count)(value))
  const pathOf = (line: Line): string => {
    const from = times()[0] ?? 0
    const span = Math.max(1, (times().at(-1) ?? 0) - from)
    const points = line.values.map((value, at): Point | null =>
      value === null ? null : { x: ((times()[at]! - from) / span) * 1000, y: height - 4 - (value / most()) * (height - 12) },
    )
    return points
      .map((point, at) => {
        if (!point) return ''
        const before = at > 0 ? points[at - 1] : null
        const joined = before && times()[at]! - times()[at - 1]! <= (props.gapMs ?? minuteGapMs)
        return `${joined ? 'L' : 'M'}${point.x.toFixed(1)} ${point.y.toFixed(1)}${joined ? '' : 'h0.1'}`
      })
      .join('')
  }
  const colours = ['var(--c-moss)', 'var(--c-papaya)', 'var(--c-faint)']
  const last = (line: Line) => line.values.findLast((value) => value !== null)
  const clock = (moment: string | undefined) => (moment ? `${moment.slice(11, 16)} UTC` : '')
  return (
    <figure class="box min-w-0 p-4">
      <figcaption class="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <span class="font-semibold">{props.title}</span>
        <For each={props.lines}>
          {(line, at) => (
            <span class="flex items-center gap-1.5 text-s text-muted">
              <svg width="16" height="4" aria-hidden="true">
                <line
                  x1="0"
                  x2="16"
                  y1="2"
                  y2="2"
                  stroke={colours[at()]}
                  stroke-width="2"
                  stroke-dasharray={line.dashed ? '4 3' : undefined}
                />
              </svg>
              {line.name}: {text(last(line))}
            </span>
          )}
        </For>
      </figcaption>
      <svg class="mt-3 block h-24 w-full" viewBox={`0 0 1000 ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <line x1="0" x2="1000" y1={height - 4} y2={height - 4} stroke="var(--c-line)" vector-effect="non-scaling-stroke" />
        <line x1="0" x2="1000" y1="8" y2="8" stroke="var(--c-line)" vector-effect="non-scaling-stroke" />
        <For each={props.lines}>
          {(line, at) => (
            <path
              d={pathOf(line)}
              fill="none"
              stroke={colours[at()]}
              stroke-width="2"
              stroke-linecap="round"
              stroke-dasharray={line.dashed ? '4 3' : undefined}
              vector-effect="non-scaling-stroke"
            />
          )}
        </For>
      </svg>
      <div class="flex justify-between text-s text-faint">
        <span>{clock(props.moments[0])}</span>
        <span>at most {text(most())}</span>
        <span>{clock(props.moments.at(-1))}</span>
      </div>
    </figure>
  )
}
