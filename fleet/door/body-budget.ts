/** Bytes that all requests of one attempt may hold at a time. */
const mostHeld = 64 * 2 ** 20

/** What a request holds of the budget of its attempt. */
export type BodyShare = { take(bytes: number): boolean; leave(): void }

/** A budget that the requests of one attempt share, from the first byte of their bodies to the end of their answers. */
export function createBodyBudget(most = mostHeld): { enter(): BodyShare; held(): number } {
  let held = 0
  return {
    held: () => held,
    enter() {
      let mine = 0
      return {
        take(bytes) {
          if (held + bytes > most) return false
          held += bytes
          mine += bytes
          return true
        },
        leave() {
          held -= mine
          mine = 0
        },
      }
    },
  }
}
