import * as z from 'zod'
import { fromBase64 } from '../../export/bytes.ts'

const SubStep = z.object({
  step_number: z.string().regex(/^\d+\.\d+$/),
  step_description_prompt: z.string(),
  step_background: z.string(),
  /** Null in the test split. */
  ground_truth_code: z.string().nullish(),
  function_header: z.string(),
  test_cases: z.array(z.string()),
  return_line: z.string(),
  /** Code that stands in for the model's in both ways of reading it; our invented rows bring it along, of the real ones three steps have it in files. */
  given_code: z.object({ verbatim: z.string(), official_extract: z.string() }).nullish(),
})

/** A row of `problems_test.jsonl` (reference 2.1); what nobody reads is left out. */
export const ScicodeRecord = z.object({
  problem_id: z.string(),
  problem_name: z.string(),
  problem_description_main: z.string().nullish(),
  required_dependencies: z.string(),
  sub_steps: z.array(SubStep).min(1),
})
export type ScicodeRecord = z.infer<typeof ScicodeRecord>

/** What a group of the targets holds: see `Hdf5Node` of the fleet, whose rows these are. */
export type TargetNode =
  | { type: 'group'; members: [string, TargetNode][] }
  | { type: 'array'; dtype: string; shape: number[]; at: number; bytes: number }
  | { type: 'texts'; shape: number[]; texts: string[] }
  | { type: 'unread'; why: string }

const Shape = z.array(z.int().min(0))
const TargetNode: z.ZodType<TargetNode> = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('group'), members: z.array(z.tuple([z.string(), TargetNode])) }),
    z.object({ type: z.literal('array'), dtype: z.string(), shape: Shape, at: z.int().min(0), bytes: z.int().min(0) }),
    z.object({ type: z.literal('texts'), shape: Shape, texts: z.array(z.string()) }),
    z.object({ type: z.literal('unread'), why: z.string() }),
  ]),
)

/** The targets of one step: the group of that name in `test_data.h5`. The sample has their bytes as base64, since its rows are JSON. */
export const StepTargets = z.object({
  name: z.string(),
  root: TargetNode,
  data: z.union([
    z.instanceof(Uint8Array),
    z.string().transform((text, context) => {
      const bytes = fromBase64(text)
      if (bytes) return bytes
      context.addIssue({ code: 'custom', message: 'no base64' })
      return z.NEVER
    }),
  ]),
})
export type StepTargets = z.infer<typeof StepTargets>

/** Why targets cannot be used; null when all of them were read. */
export function unreadIn(node: TargetNode, path: string): string | null {
  if (node.type === 'unread') return `${path}: ${node.why}`
  if (node.type !== 'group') return null
  for (const [name, member] of node.members) {
    const why = unreadIn(member, `${path}/${name}`)
    if (why !== null) return why
  }
  return null
}
