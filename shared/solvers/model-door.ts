import type { Failure } from '../contract/failure.ts'
import type { Completion } from './kit.ts'

/**
 * A way from inside a machine to the tested model, for programs that speak OpenAI's chat completions or responses, Anthropic's messages or Gemini's contents. What comes through it is asked through the kit: counted,
 * limited and recorded, with the parameters of the plan. No key of a provider is in the machine.
 */
export type ModelDoor = {
  /** Where programs in the machine find it; it ends in `/v1`. Nothing outside of the machine can reach it there. */
  base_url: string
  /** The model as programs must name it. */
  model: string
  /** What programs send as their key: made for this door, and worth nothing once it is closed. */
  token: string
  /** How many answers went through it, the last of them, and what the model's provider failed with since. */
  told(): { answers: number; last: Completion | null; failure: Failure | null }
  /** Closes it; a call that is under way is given up. */
  close(): Promise<void>
}
