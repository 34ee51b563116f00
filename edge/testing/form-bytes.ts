/**
 * Encodes a form as the body and the header of a request. Node's stream of a form keeps writing
 * after its reader has cancelled; the resulting error has no handler.
 */
export async function formBytes(form: FormData): Promise<{ body: ArrayBuffer; headers: { 'content-type': string } }> {
  const encoded = new Response(form)
  return { body: await encoded.arrayBuffer(), headers: { 'content-type': encoded.headers.get('content-type') ?? '' } }
}
