import { pythonRandom } from '../../random/python-random.ts'

/** Which answer stands at A, B, C and D of an item: 0 is the correct one, 1 to 3 the incorrect ones. */
export type OptionOrder = (index: number, epoch: number) => readonly number[]

/**
 * simple-evals: one generator seeded 0 runs through the list of `count` rows repeated for every epoch and draws a permutation for each entry.
 * Permutations are drawn as far as they are asked for and kept, so the order of questions to this function does not matter.
 */
export function repeatedListOrder(count: number): OptionOrder {
  const random = pythonRandom(0)
  const drawn: (readonly number[])[] = []
  return (index, epoch) => {
    const entry = epoch * count + index
    while (drawn.length <= entry) drawn.push(random.sampleRange(4, 4))
    return drawn[entry]!
  }
}

/** The paper's baselines: one generator seeded 0 shuffles [incorrect 1, 2, 3, correct] of every row in file order; epochs repeat it. */
export function perRowOrder(count: number): OptionOrder {
  const random = pythonRandom(0)
  const orders = Array.from({ length: count }, () => {
    const order = [1, 2, 3, 0]
    random.shuffle(order)
    return order
  })
  return (index) => orders[index]!
}
