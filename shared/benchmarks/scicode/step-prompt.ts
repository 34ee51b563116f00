import { fillTemplate } from '../fill-template.ts'
import type { Problem, Step } from './problem.ts'

/** Our own words for what the official template with background asks. */
export const ownTemplate = `You are writing a Python program for a scientific problem, one function at a time.

Earlier steps and the code they already have:

{problem_steps_str}

Now write this step, which builds on them:

{next_step_str}

The program begins with these imports, and no others are available:

{dependencies}

Answer with one code block marked python that holds this step's function or class and nothing else: keep the header as it is given, repeat neither imports nor earlier steps, and add no example or test.`

/**
 * The prompt for the step at `index`, whose predecessors have the code of `codes` (reference 2.2). A step without background in the item is
 * described without it.
 */
export function stepPrompt(template: string, { steps, dependencies }: Problem, codes: readonly string[], index: number): string {
  const step = steps[index]!
  const before = codes.slice(0, index).map((code, at) => [stepText(steps[at]!), code].join('\n\n'))
  return fillTemplate(template, {
    problem_steps_str: before.join('\n\n------\n\n'),
    next_step_str: [stepText(step), `${step.header}\n\n${step.return_line}`].join('\n\n'),
    dependencies,
  })
}

const stepText = ({ description, background }: Step): string => (background === null ? description : `${description}\n${background}`)

/** The file that is tested for a step: imports, the code of all steps before it, its own. */
export function stepFile(dependencies: string, earlier: readonly string[], code: string): string {
  return `${dependencies}\n${earlier.join('\n')}\n\n${code}`
}
