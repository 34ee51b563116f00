import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '#shared/testing/draws.ts'
import { BadForm, boundaryOf, readForm } from './read-form.ts'

/** A body in pieces of this many bytes. */
function bodyOf(bytes: Uint8Array, step: number): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + step))
      at += step
    },
  })
}

async function partsOf(bytes: Uint8Array, boundary: string, step: number) {
  const parts: { name: string; filename: string | null; text: string }[] = []
  for await (const { name, filename, pieces } of readForm(bodyOf(bytes, step), boundary)) {
    const all: number[] = []
    for await (const piece of pieces) all.push(...piece)
    parts.push({ name, filename, text: Buffer.from(all).toString('latin1') })
  }
  return parts
}

const sent = async (form: FormData) => {
  const response = new Response(form)
  return { boundary: boundaryOf(response.headers.get('content-type') ?? undefined)!, bytes: new Uint8Array(await response.arrayBuffer()) }
}

test('[TASK1] a form is read as it arrives, whatever the pieces, with line ends and boundaries in its files', async () => {
  const form = new FormData()
  form.set('name', 'A "quoted" näme')
  form.set('file', new File(['PK\r\n--\r\n\r\n----', new Uint8Array([0, 255, 13, 10, 45])], 'a "b" c.zip'))
  form.set('empty', '')
  const { boundary, bytes } = await sent(form)
  const whole = await partsOf(bytes, boundary, bytes.length)
  expect(whole).toEqual([
    { name: 'name', filename: null, text: Buffer.from('A "quoted" näme').toString('latin1') },
    { name: 'file', filename: 'a "b" c.zip', text: 'PK\r\n--\r\n\r\n----\0\u00ff\r\n-' },
    { name: 'empty', filename: null, text: '' },
  ])
  for (const step of [1, 2, 3, 7, 64]) expect(await partsOf(bytes, boundary, step)).toEqual(whole)
})

test('[TASK1] any file comes out as it went in', async () => {
  const alphabet = fc.constantFrom(13, 10, 45, 120, 0)
  await fc.assert(
    fc.asyncProperty(fc.array(alphabet, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), async (file, step) => {
      const text = `--xx\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n`
      const bytes = new Uint8Array([...Buffer.from(text), ...file, ...Buffer.from('\r\n--xx--\r\n')])
      const inside = Buffer.from(file).toString('latin1')
      if (`\r\n${inside}`.includes('\r\n--xx')) return
      expect(await partsOf(bytes, 'xx', step)).toEqual([{ name: 'file', filename: 'f', text: inside }])
    }),
    draws(300),
  )
})

test('[TASK1] what is no form is refused, and a part that nobody reads is passed over', async () => {
  const head = '--xx\r\ncontent-disposition: form-data; name="a"\r\n\r\n'
  for (const text of ['', 'nothing', head, `${head}x`, `${head}x\r\n--xx`, '--xx\r\nx: y\r\n\r\n\r\n--xx--', '--xx junk\r\n\r\n\r\n--xx--'])
    await expect(partsOf(Buffer.from(text), 'xx', 5), JSON.stringify(text)).rejects.toThrow(BadForm)
  const names: string[] = []
  const two = `${head}first\r\n--xx\r\nContent-Disposition: form-data; name=b\r\n\r\nsecond\r\n--xx--`
  for await (const { name } of readForm(bodyOf(Buffer.from(two), 9), 'xx')) names.push(name)
  expect(names).toEqual(['a', 'b'])
  const many = `${head}x\r\n`.repeat(21)
  await expect(partsOf(Buffer.from(`${many}--xx--`), 'xx', 50)).rejects.toThrow('more than 20 parts')
  expect([boundaryOf(undefined), boundaryOf('application/json'), boundaryOf('multipart/form-data; boundary="a b"')]).toEqual([
    undefined,
    undefined,
    'a b',
  ])
})
