import { expect, test } from 'vitest'
import type { LiveMessage } from '#shared/contract/live.ts'
import { delta, note } from '#shared/run/testing/live-entries.ts'
import { foldMessage, type LiveView, liveSentence } from './live-view.ts'

test('[LIVE12] a page shows a trial as its stream tells it, and says in a sentence where it stands', () => {
  const messages: LiveMessage[] = [
    { type: 'waiting', why: 'not-begun' },
    { type: 'entries', entries: [delta(1, 0, 'of nothing')] },
    { type: 'reset', attempt: 1, gap: false, entries: [] },
    { type: 'entries', entries: [delta(1, 0, 'hm', 'reasoning')] },
    { type: 'entries', entries: [delta(1, 0, 'It')] },
    { type: 'waiting', why: 'agent-away' },
    { type: 'reset', attempt: 2, gap: true, entries: [delta(1, 0, 'It is')] },
    { type: 'entries', entries: [note(0, 'said', 1)] },
    { type: 'done' },
  ]
  let view: LiveView = { status: 'connecting' }
  const said = [liveSentence(view)]
  const texts: string[] = []
  for (const message of messages) {
    view = foldMessage(view, message)
    said.push(liveSentence(view))
    texts.push(
      view.status === 'running' ? `${view.attempt}${view.gap ? ' anew' : ''}: ${view.trial.calls[0]?.text.text ?? ''}` : view.status,
    )
  }
  expect(texts).toEqual(['waiting', 'waiting', '1: ', '1: ', '1: It', 'waiting', '2 anew: It is', '2 anew: ', 'ended'])
  expect(said.map((sentence) => sentence.split(/[.;,]/)[0])).toEqual([
    'Looking whether it is under way',
    'It has not begun yet',
    'It has not begun yet',
    'It has begun',
    'The model is thinking',
    'It is being answered',
    'The connection of its agent is lost',
    'It is being answered',
    'It is under way',
    'It has ended',
  ])
  expect(said[7]).toContain('attempt 2')
})
