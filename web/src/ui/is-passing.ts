/** Whether the same request may succeed later: the server was away, busy or broken. */
export function isPassing(status: number): boolean {
  return status === 0 || status === 429 || status >= 500
}
