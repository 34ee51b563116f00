import type { Card, Profile } from '../contract/card.ts'
import type { CreateRun } from '../contract/create-run.ts'
import type { Model } from '../contract/model.ts'
import type { PlannedJudge } from '../contract/run.ts'
import { RunRefused } from './run-refused.ts'

/** A model as a run needs to know it before it asks it. */
export type AskedModel = Pick<Model, 'id' | 'slug' | 'provider' | 'price' | 'context_length' | 'input_modalities'>

/** Which model is to judge; `provider` is null where any will do. */
export type JudgeName = { model_id: string; provider: string | null }

/** The model of that name, where it is known and being served. */
export type JudgeLookup = (name: JudgeName) => AskedModel | undefined

type Asked = Pick<CreateRun, 'judge' | 'allow_self_judge'>

/**
 * Who is to judge a profile's answers: the judge the request names, else the profile's own; null where none is needed. The demo model
 * judges itself unless another is named: such a run says nothing about any model and has to work without a network.
 */
export function judgeName(profile: Profile, body: Asked, model: Pick<AskedModel, 'id' | 'provider'>): JudgeName | null {
  if (!profile.judge) return null
  if (body.judge) return { model_id: body.judge.model_id, provider: body.judge.provider ?? null }
  if (model.provider === 'demo') return { model_id: model.id, provider: model.provider }
  return { model_id: profile.judge.model, provider: profile.judge.provider }
}

/** The judge of a planned benchmark, frozen. Throws `RunRefused` for one that is not served here, and for the tested model itself. */
export function chooseJudge(card: Card, profile: Profile, body: Asked, model: AskedModel, find: JudgeLookup): PlannedJudge | null {
  const name = judgeName(profile, body, model)
  if (!name || !profile.judge) return null
  const judge = find(name)
  if (!judge) {
    const where = name.provider === null ? 'here' : `by ${name.provider} here`
    throw invalid(
      `The answers to ${card.display_name} are judged by ${name.model_id}, which is not known or not being served ${where}. ` +
        'Choose another judge with judge.model_id (--judge); scores by different judges cannot be compared.',
    )
  }
  if (judge.slug === model.slug && !body.allow_self_judge && model.provider !== 'demo') {
    throw invalid(
      `${model.slug} would judge its own answers to ${card.display_name}. Choose another judge with judge.model_id (--judge), ` +
        'or allow it with allow_self_judge (--allow-self-judge).',
    )
  }
  const { params, schema } = profile.judge
  return { model: { id: judge.id, slug: judge.slug, provider: judge.provider }, price: judge.price, params, schema }
}

const invalid = (message: string) => new RunRefused('validation', '/judge', message)
