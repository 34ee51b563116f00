import { isKnownToPass, type OfficiallyPasses, type PassesHere, passesBy } from './cheat-book.ts'
import { held, type Played } from './play-cheats.ts'

/** How many answers of each cheat held, a line each; what officially passes comes after all others, with its reason and its flag. */
export function tally(benchmark: string, played: readonly Played[]): string[] {
  const cheats = new Map<string, { these: Played[]; want: OfficiallyPasses | PassesHere | null }>()
  for (const one of played) {
    const want = isKnownToPass(one.one.want) ? one.one.want : null
    const known = cheats.get(`${want !== null} ${one.one.cheat}`) ?? { these: [], want }
    known.these.push(one)
    cheats.set(`${want !== null} ${one.one.cheat}`, known)
  }
  const line = ({ these, want }: { these: Played[]; want: OfficiallyPasses | PassesHere | null }): string => {
    const count = `${String(these.filter(held).length).padStart(3)} of ${String(these.length).padStart(3)}`
    const [reading, why] = want ? passesBy(want) : []
    const said = want && `: ${reading}: passes, ${want.flag === null ? 'without a flag' : `flag ${want.flag}`}: ${why}`
    return `${benchmark}  ${count}  ${these[0]!.one.cheat}${said ?? ''}`
  }
  const all = [...cheats.values()]
  return [...all.filter(({ want }) => want === null), ...all.filter(({ want }) => want !== null)].map(line)
}
