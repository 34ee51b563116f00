import type { LiveMessage, LiveWait } from '#shared/contract/live.ts'
import { foldLive, type LiveTrial, nothingYet } from '#shared/run/live.ts'
import { waitSentences } from '#shared/run/live-text.ts'

/** A trial under way as its viewer has it. `gap`: the viewer read too slowly, and was told anew what there is. */
export type LiveView =
  | { status: 'connecting' }
  | { status: 'waiting'; why: LiveWait }
  | { status: 'running'; attempt: number; gap: boolean; trial: LiveTrial }
  | { status: 'ended' }

/** Most of a trial that a page keeps, in UTF-16 units; the record has it all. */
const mostKept = 400_000

/** Folds one message of the stream. What is told of an attempt goes before that the page had of it. */
export function foldMessage(view: LiveView, message: LiveMessage): LiveView {
  switch (message.type) {
    case 'waiting':
      return { status: 'waiting', why: message.why }
    case 'reset': {
      const { attempt, gap, entries } = message
      return { status: 'running', attempt, gap, trial: entries.reduce((trial, entry) => foldLive(trial, entry, mostKept), nothingYet) }
    }
    case 'entries':
      if (view.status !== 'running') return view
      return { ...view, trial: message.entries.reduce((trial, entry) => foldLive(trial, entry, mostKept), view.trial) }
    case 'done':
      return { status: 'ended' }
  }
}

/** Where a trial under way stands, in a sentence. */
export function liveSentence(view: LiveView): string {
  switch (view.status) {
    case 'connecting':
      return 'Looking whether it is under way.'
    case 'waiting':
      return waitSentences[view.why]
    case 'running': {
      const attempt = view.attempt > 1 ? `, attempt ${view.attempt}` : ''
      const { calls, steps } = view.trial
      if (calls.some(({ text }) => text.text !== '')) return `It is being answered${attempt}.`
      if (calls.length > 0) return `The model is thinking${attempt}.`
      return steps.length > 0 || view.trial.screen ? `It is under way${attempt}.` : `It has begun${attempt}; no word has come yet.`
    }
    case 'ended':
      return 'It has ended. Its record is on the way.'
  }
}
