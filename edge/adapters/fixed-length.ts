type Sized = new (bytes: number) => TransformStream<Uint8Array, Uint8Array>

/**
 * A body that is told to the client with its length in bytes. workerd closes a broken body of unknown length properly
 * (cloudflare/workerd#6818), so the length is how a client learns that it got a part only. Elsewhere the body passes as it is.
 */
export function withLength(body: ReadableStream<Uint8Array>, bytes: number): ReadableStream<Uint8Array> {
  const { FixedLengthStream: Stream } = globalThis as { FixedLengthStream?: Sized } // workerd has it, Node has not
  return Stream ? body.pipeThrough(new Stream(bytes)) : body
}
