/**
 * A form as the bytes and the header of a request. Node's own stream of a form writes on after a reader has given it up, and that error belongs to
 * nobody.
 */
export async function formBytes(form: FormData): Promise<{ body: ArrayBuffer; headers: { 'content-type': string } }> {
  const encoded = new Response(form)
  return { body: await encoded.arrayBuffer(), headers: { 'content-type': encoded.headers.get('content-type') ?? '' } }
}
