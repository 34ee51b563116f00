import type { Profile, TextPin } from '#shared/contract/card.ts'
import type { Outcome } from '#shared/contract/failure.ts'
import type { DatasetEnv } from './dataset-env.ts'
import { outcomeOf } from './dataset-error.ts'
import { openOfficialTexts } from './official-texts.ts'

/** Official texts of a profile by pin id, each checked against its hash; empty for a profile without any. Fails with `dataset/text-unavailable`. */
export function openTexts(profile: Pick<Profile, 'texts'>, env: DatasetEnv): Promise<Outcome<Record<string, string>>> {
  return outcomeOf(async () => {
    const files = new Map<string, [TextPin, ...TextPin[]]>()
    for (const pin of profile.texts) {
      const key = JSON.stringify([pin.repo, pin.revision, pin.path])
      const pins = files.get(key)
      if (pins === undefined) files.set(key, [pin])
      else pins.push(pin)
    }
    const parts = await Promise.all([...files.values()].map((pins) => openOfficialTexts(pins[0], pins, env)))
    return Object.assign({}, ...parts)
  })
}
