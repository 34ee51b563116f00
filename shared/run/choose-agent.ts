import { type CommandAgent, commandProfile } from '../contract/command-agent.ts'
import type { CreateRun } from '../contract/create-run.ts'
import { holdsKey } from '../secrets/redactor.ts'
import { RunRefused } from './run-refused.ts'

/** The profile that is asked for: who gives a command need not name the profile that runs it. */
export const askedProfile = ({ profile, agent }: Pick<CreateRun, 'profile' | 'agent'>): string | null | undefined =>
  agent ? (profile ?? commandProfile) : profile

/**
 * The command that works at the terminal in a profile; null for a profile that has its own agent, or none. Throws `RunRefused` where one is missing, or would
 * not be run, or holds what is surely a key.
 */
export function chooseAgent({ agent }: Pick<CreateRun, 'agent'>, benchmark: string, profile: string): CommandAgent | null {
  if (profile !== commandProfile) {
    if (!agent) return null
    throw refused('/agent', `The profile ${profile} of ${benchmark} runs no command: leave the profile out, or the command.`)
  }
  if (!agent)
    throw refused(
      '/agent',
      `The profile ${commandProfile} of ${benchmark} runs a command of yours: give it (agent.command; bench run --agent-command).`,
    )
  for (const [field, text] of Object.entries(agent))
    if (text && holdsKey(text))
      throw refused(
        `/agent/${field}`,
        'What looks like a key is in the command, and a run’s plan is shown. The model is reached by OPENAI_BASE_URL and OPENAI_API_KEY, which the command finds in its environment.',
      )
  return { command: agent.command, install: agent.install ?? null }
}

const refused = (pointer: string, message: string) => new RunRefused('validation', pointer, message)
