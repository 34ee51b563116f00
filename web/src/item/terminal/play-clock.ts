import { createSignal, onCleanup } from 'solid-js'

export const speeds = [0.5, 1, 2, 4, 8] as const

/** The place in a replay that moves while it plays, by the browser's frames. Times in milliseconds of the replay. */
export function createPlayClock(length_ms: number, start: { at_ms: number; playing: boolean }) {
  const [at, setAt] = createSignal(start.at_ms)
  const [playing, setPlaying] = createSignal(false)
  const [speed, setSpeed] = createSignal<number>(1)
  let frame = 0
  let last: number | null = null

  const pause = (): void => {
    cancelAnimationFrame(frame)
    last = null
    setPlaying(false)
  }
  const move = (now: number): void => {
    const passed = last === null ? 0 : (now - last) * speed()
    last = now
    setAt(Math.min(length_ms, at() + passed))
    if (at() >= length_ms) pause()
    else frame = requestAnimationFrame(move)
  }
  const play = (): void => {
    if (playing()) return
    if (at() >= length_ms) setAt(0)
    setPlaying(true)
    frame = requestAnimationFrame(move)
  }
  if (start.playing) play()
  onCleanup(pause)
  return {
    at,
    playing,
    speed,
    setSpeed,
    pause,
    toggle: () => (playing() ? pause() : play()),
    seek: (ms: number) => setAt(Math.max(0, Math.min(length_ms, ms))),
  }
}
