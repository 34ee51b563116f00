/** 128 random bits as hex digits; unlike the browser's own UUIDs also for pages that come over plain HTTP from another machine. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
