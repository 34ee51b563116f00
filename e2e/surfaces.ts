import { globSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { readPdf } from '#edge/testing/read-pdf.ts'
import { root } from './stack.ts'

/** Somebody who looks at a stack: the local owner, an operator who owns nothing, or a visitor under another host name, who is nobody. */
export type Visitor = { name: string; headers: Record<string, string> }
/** Values for the parameters of addresses. */
export type Values = Record<string, readonly string[]>

type Operation = { parameters?: { name: string; in: string; schema?: { enum?: string[] } }[] }
type Document = { paths: Record<string, Record<string, Operation>> }

/** Every address that may be read, with all values filled in; throws for a parameter that has none, so that a new route is thought of. */
export function readableAddresses(document: Document, values: Values): string[] {
  const api = Object.entries(document.paths).flatMap(([path, operations]) => {
    if (!operations.get) return []
    const formats = operations.get.parameters?.find(({ name }) => name === 'format')?.schema?.enum ?? []
    const queries = formats.length > 0 ? formats.map((format) => `?format=${format}`) : ['']
    return filled(path, values).flatMap((address) => queries.map((query) => address + query))
  })
  return [...api, ...pageAddresses(values)]
}

/** The pages, by the files of their routes. */
function pageAddresses(values: Values): string[] {
  const folder = join(root, 'web', 'src', 'routes')
  const files = globSync('**/*.tsx', { cwd: folder }).filter((file) => !file.includes('[...'))
  const paths = files.map((file) => `/${file.replace(/\.tsx$/, '').replace(/(^|\/)index$/, '')}`.replace(/\[(\w+)\]/g, '{$1}'))
  return [...new Set(paths)].flatMap((path) => filled(path, values))
}

function filled(path: string, values: Values): string[] {
  const name = /\{(\w+)\}/.exec(path)?.[1]
  if (!name) return [path]
  const known = values[name]
  if (!known) throw new Error(`${path}: nothing is known to fill in for {${name}}`)
  return known.flatMap((value) => filled(path.replace(`{${name}}`, encodeURIComponent(value)), values))
}

/** Reads an address to its end, or, for a stream that goes on, until `enough` is in it. Members of archives and what a PDF shows are read as well. */
export function read(base: string, path: string, { headers }: Visitor, enough: RegExp): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(base + path, { headers: { accept: '*/*', ...headers } }, (response) => {
      const chunks: Buffer[] = []
      const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true
      const done = (): void => {
        const bytes = Buffer.concat(chunks)
        const members = bytes.subarray(0, 2).toString() === 'PK' ? Object.values(unzipSync(bytes)) : []
        const parts = [JSON.stringify(response.headers), bytes.toString(), ...members.map((member) => Buffer.from(member).toString())]
        if (bytes.subarray(0, 5).toString() === '%PDF-') parts.push(...drawnIn(bytes))
        resolve({ status: response.statusCode!, text: parts.join('\n') })
      }
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        if (!isStream || !enough.test(Buffer.concat(chunks).toString())) return
        response.removeAllListeners('end')
        response.destroy()
        done()
      })
      response.on('end', done)
      response.on('error', () => undefined) // we hung up
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** Its lines as they stand, and joined as if no word had been broken. */
function drawnIn(bytes: Uint8Array): string[] {
  const { lines, texts } = readPdf(bytes)
  return [...lines, lines.join(''), ...texts]
}
