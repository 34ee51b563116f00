/**
 * Things that come and go by the thousand, in no order: trials under way, calls. At every rehash V8's `Map` and `Set` leave a dead table that points to the
 * next one; once such a table is old, all that later ones held stays until the next full collection. An array leaves nothing.
 */
export class Bag<T extends object> {
  readonly #held: { thing: T; place: number }[] = []

  get size(): number {
    return this.#held.length
  }

  /** Puts a thing in; what this gives takes it out, once. */
  add(thing: T): () => void {
    const own = { thing, place: this.#held.length }
    this.#held.push(own)
    return () => {
      if (this.#held[own.place] !== own) return
      const last = this.#held.pop()!
      if (last === own) return
      last.place = own.place
      this.#held[own.place] = last
    }
  }

  values(): T[] {
    return this.#held.map(({ thing }) => thing)
  }

  find(fits: (thing: T) => boolean): T | undefined {
    return this.#held.find(({ thing }) => fits(thing))?.thing
  }
}
