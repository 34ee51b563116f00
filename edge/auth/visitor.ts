import { secretsEqual } from './secret.ts'

/** Carries the secret of the local door (`edge/local/door.ts`), which takes it off every request that comes from outside. */
export const doorHeader = 'x-bench-door'

/** Loopback by name: a rebound DNS name that resolves to this machine is not the machine's owner. */
export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^127(\.\d{1,3}){3}$/.test(address)
}

/** Where the connection comes from. Cloudflare and the local door both overwrite this header, so no client can choose it. */
export function clientAddress(request: Request): string | null {
  return request.headers.get('cf-connecting-ip')
}

/** Whether somebody on this machine visits it under a name of its own: both the connection and the address he used say so. */
export function isFromThisMachine(request: Request): boolean {
  return isLoopbackName(new URL(request.url).hostname) && isLoopbackAddress(clientAddress(request) ?? '')
}

/** Whether a request came through the local door; without one (a deployment behind Cloudflare) every request did. */
export async function cameThroughDoor(request: Request, secret: string | undefined): Promise<boolean> {
  return secret === undefined || secretsEqual(request.headers.get(doorHeader) ?? '', secret)
}
