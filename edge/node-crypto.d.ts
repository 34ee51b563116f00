// What the Worker uses of Node's crypto (`nodejs_compat`); Node's own types do not fit beside the Worker's.
declare module 'node:crypto' {
  export function createHash(algorithm: 'sha256'): { update(bytes: Uint8Array): unknown; digest(): Uint8Array }
}
