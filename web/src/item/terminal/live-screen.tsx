import { createMemo } from 'solid-js'
import type { LiveScreen as Drawn } from '#shared/run/live.ts'
import { openScreen } from '#shared/terminal/screen.ts'
import { writeOutput } from '#shared/terminal/write-output.ts'
import { Section } from '../../ui/section.tsx'
import { type Frame, frameOf } from './frame.ts'
import { TerminalScreen } from './terminal-screen.tsx'

/** The terminal of a trial under way, as it was told last. */
export function LiveScreen(props: { screen: Drawn }) {
  const frame = createMemo<Frame>((before) => {
    const screen = openScreen(props.screen)
    writeOutput(screen, props.screen.text)
    return frameOf(screen, before ?? null)
  })
  return (
    <Section title="Terminal">
      <TerminalScreen frame={frame()} label="The terminal as it stands now" />
    </Section>
  )
}
