const size = 624
const period = 397
const mask32 = 0xffffffff

/** A port of CPython's `random.Random`: the same seed gives the same numbers, bit for bit but for the last bits of `gauss`. */
export type PythonRandom = {
  /** `bits` random bits (1 to 32) as an unsigned number. */
  getrandbits(bits: number): number
  /** A float in [0, 1) with 53 random bits. */
  random(): number
  /** A whole number in [0, bound); `bound` from 1 to 2^32 - 1. CPython's `_randbelow`. */
  below(bound: number): number
  /** A whole number from `low` to `high`, both included. */
  randint(low: number, high: number): number
  choice<T>(values: readonly T[]): T
  /** Shuffles in place. */
  shuffle<T>(values: T[]): void
  /** `random.sample(range(population), count)`. */
  sampleRange(population: number, count: number): number[]
  /** A normal deviate; every second call uses the value cached by the one before. Its last bits are those of the platform's logarithm and cosine. */
  gauss(mean: number, deviation: number): number
}

/** Little-endian 32-bit words of |seed|; one word 0 for 0. */
function seedWords(seed: bigint): number[] {
  const words: number[] = []
  for (let rest = seed < 0n ? -seed : seed; rest > 0n; rest >>= 32n) words.push(Number(rest & 0xffffffffn))
  return words.length > 0 ? words : [0]
}

/** The state after `init_by_array(key)` of the MT19937 reference code. */
function initByArray(key: readonly number[]): Uint32Array {
  const state = new Uint32Array(size)
  const mix = (i: number, factor: number): number => {
    const last = state[i - 1]!
    return Math.imul(last ^ (last >>> 30), factor)
  }
  state[0] = 19650218
  for (let i = 1; i < size; i++) state[i] = mix(i, 1812433253) + i
  let i = 1
  let j = 0
  const step = () => {
    if (++i >= size) {
      state[0] = state[size - 1]!
      i = 1
    }
  }
  for (let k = Math.max(size, key.length); k > 0; k--) {
    state[i] = (state[i]! ^ mix(i, 1664525)) + key[j]! + j
    j = (j + 1) % key.length
    step()
  }
  for (let k = size - 1; k > 0; k--) {
    state[i] = (state[i]! ^ mix(i, 1566083941)) - i
    step()
  }
  state[0] = 0x80000000
  return state
}

function twist(state: Uint32Array): void {
  for (let i = 0; i < size; i++) {
    const y = (state[i]! & 0x80000000) | (state[(i + 1) % size]! & 0x7fffffff)
    state[i] = state[(i + period) % size]! ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0)
  }
}

/** The stream of tempered 32-bit outputs for a seed. */
function mersenneTwister(seed: bigint): () => number {
  const state = initByArray(seedWords(seed))
  let index = size
  return () => {
    if (index >= size) {
      twist(state)
      index = 0
    }
    let y = state[index++]!
    y ^= y >>> 11
    y ^= (y << 7) & 0x9d2c5680
    y ^= (y << 15) & 0xefc60000
    y ^= y >>> 18
    return y >>> 0
  }
}

/** `random.sample(range(population), count)`: CPython keeps a pool for small populations and a set for large ones. */
function sampleRange(below: (bound: number) => number, population: number, count: number): number[] {
  if (count < 0 || count > population) throw new RangeError(`cannot take ${count} of ${population}`)
  const setSize = 21 + (count > 5 ? 4 ** Math.ceil(Math.log(count * 3) / Math.log(4)) : 0)
  if (population <= setSize) {
    const pool = Array.from({ length: population }, (_, i) => i)
    return Array.from({ length: count }, (_, i) => {
      const j = below(population - i)
      const taken = pool[j]!
      pool[j] = pool[population - i - 1]!
      return taken
    })
  }
  const taken = new Set<number>()
  while (taken.size < count) taken.add(below(population))
  return [...taken]
}

/** Box-Muller as CPython does it: two uniforms make two deviates, the second is kept for the next call. */
function gaussian(random: () => number): (mean: number, deviation: number) => number {
  let cached: number | null = null
  return (mean, deviation) => {
    if (cached !== null) {
      const z = cached
      cached = null
      return mean + z * deviation
    }
    const angle = random() * 2 * Math.PI
    const radius = Math.sqrt(-2 * Math.log(1 - random()))
    cached = Math.sin(angle) * radius
    return mean + Math.cos(angle) * radius * deviation
  }
}

/** `random.Random(seed)` for an integer seed (reference: benchmarks-qa B). A number must be a safe integer; larger seeds are bigints. */
export function pythonRandom(seed: number | bigint): PythonRandom {
  const next = mersenneTwister(BigInt(seed))
  const getrandbits = (bits: number): number => {
    if (!(bits >= 1 && bits <= 32)) throw new RangeError(`getrandbits takes 1 to 32 bits, not ${bits}`)
    return next() >>> (32 - bits)
  }
  const random = (): number => {
    const high = next() >>> 5
    return (high * 67108864 + (next() >>> 6)) / 9007199254740992
  }
  const below = (bound: number): number => {
    if (!(Number.isInteger(bound) && bound >= 1 && bound <= mask32)) throw new RangeError(`no whole number lies below ${bound}`)
    const bits = 32 - Math.clz32(bound)
    let drawn = getrandbits(bits)
    while (drawn >= bound) drawn = getrandbits(bits)
    return drawn
  }
  return {
    getrandbits,
    random,
    below,
    randint: (low, high) => low + below(high - low + 1),
    choice: (values) => values[below(values.length)]!,
    shuffle: (values) => {
      for (let i = values.length - 1; i > 0; i--) {
        const j = below(i + 1)
        const held = values[i]!
        values[i] = values[j]!
        values[j] = held
      }
    },
    sampleRange: (population, count) => sampleRange(below, population, count),
    gauss: gaussian(random),
  }
}
