const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export type SealPort = {
  seal(secret: string, context: string): Promise<string>
  open(sealed: string, context: string): Promise<string>
}

/** Master keys by version; `current` seals, all of them open. */
export type MasterKeys = { current: string; keys: Record<string, Uint8Array<ArrayBuffer>> }

/** A sealed secret that cannot be opened: unknown key version, changed bytes, or another context than it was sealed for. */
export class SealBroken extends Error {}

/** Context of the provider key that pays for a run: it opens for this owner and this run only. */
export function credentialContext(spec: { owner_id: string; run_id: string }): string {
  return `credential|${spec.owner_id}|${spec.run_id}`
}

/** Context of a key that an owner has saved: it opens for this owner, provider and address only. */
export function providerKeyContext(key: { owner_id: string; provider: string; base_url: string }): string {
  return `provider-key|${key.owner_id}|${key.provider}|${key.base_url}`
}

/**
 * Seals secrets with AES-256-GCM. Sealed form: `<version>.<iv>.<ciphertext>`, base64url. The version and the context are
 * authenticated, so a ciphertext moved to another row or marked with another version does not open. A text is read by `parseMasterKeys`.
 */
export function createSeal(keys: MasterKeys | string, random: (length: number) => Uint8Array<ArrayBuffer> = randomBytes): SealPort {
  const master = typeof keys === 'string' ? parseMasterKeys(keys) : keys
  const load = (version: string) => {
    const bytes = Object.hasOwn(master.keys, version) ? master.keys[version] : undefined
    if (!bytes) throw new SealBroken(`There is no master key of version ${version}.`)
    return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
  }
  return {
    async seal(secret, context) {
      const iv = random(12)
      const algorithm = { name: 'AES-GCM', iv, additionalData: additionalData(master.current, context) }
      const sealed = await crypto.subtle.encrypt(algorithm, await load(master.current), encoder.encode(secret))
      return [master.current, toBase64Url(iv), toBase64Url(new Uint8Array(sealed))].join('.')
    },
    async open(sealed, context) {
      const [version = '', iv = '', text = '', ...rest] = sealed.split('.')
      const key = await load(version)
      try {
        if (rest.length > 0) throw new TypeError('four parts')
        const algorithm = { name: 'AES-GCM', iv: fromBase64Url(iv), additionalData: additionalData(version, context) }
        return decoder.decode(await crypto.subtle.decrypt(algorithm, key, fromBase64Url(text)))
      } catch (cause) {
        throw new SealBroken('The sealed secret does not open.', { cause })
      }
    },
  }
}

/** The seal of a deployment's MASTER_KEY. Without one, or with one that does not read, sealing and opening throw `SealBroken`. */
export function openSeal(text: string | undefined): SealPort {
  try {
    return createSeal(text ?? '')
  } catch (cause) {
    const broken = async () => {
      throw new SealBroken('MASTER_KEY is missing or does not read.', { cause })
    }
    return { seal: broken, open: broken }
  }
}

/** Reads `v2:<base64 of 32 bytes>,v1:<base64>`: the first key is the current one, and one without a version is `v1`. Throws for anything else. */
export function parseMasterKeys(text: string): MasterKeys {
  const pairs = text.split(',').map((part) => {
    const [version, encoded] = part.includes(':') ? (part.trim().split(':') as [string, string]) : ['v1', part.trim()]
    const bytes = fromBase64Url(encoded)
    if (!/^[a-z0-9]{1,10}$/.test(version) || bytes.length !== 32)
      throw new SealBroken('A master key is written as version:base64 of 32 bytes, several separated by commas.')
    return [version, bytes] as const
  })
  return { current: pairs[0]![0], keys: Object.fromEntries(pairs) }
}

const additionalData = (version: string, context: string) => encoder.encode(`bench-seal|${version}|${context}`)

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const plain = text.replaceAll('-', '+').replaceAll('_', '/').replaceAll('=', '')
  try {
    return Uint8Array.from(atob(plain), (char) => char.charCodeAt(0))
  } catch (cause) {
    throw new SealBroken('Not base64.', { cause })
  }
}

function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length))
}
