import * as z from 'zod'

/**
 * A step as an item tells it. `given`: the code that stands in for the model's. `tested`: whether it counts; a given step does not, nor does one that
 * the model has to write because its given code is not at hand.
 */
export const Step = z.object({
  number: z.string(),
  description: z.string(),
  background: z.string().nullable(),
  header: z.string(),
  return_line: z.string(),
  given: z.string().nullable(),
  tested: z.boolean(),
  /** How many test cases it has. */
  cases: z.int().min(0),
})
export type Step = z.infer<typeof Step>

/** The facts of an item: all that its prompts are made of. Neither tests nor reference code are among them. */
export const Problem = z.object({
  question: z.string(),
  problem: z.string(),
  dependencies: z.string(),
  steps: z.array(Step),
})
export type Problem = z.infer<typeof Problem>

export const testedSteps = ({ steps }: Problem): Step[] => steps.filter(({ tested }) => tested)
