/** The complete list of web globals that shared code may touch. */
declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean })
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string
}
declare function atob(base64: string): string
declare function btoa(binary: string): string

type ByteStreams = {
  readonly readable: {
    getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array<ArrayBuffer> | undefined }>; cancel(): Promise<void> }
  }
  readonly writable: {
    getWriter(): { write(chunk: Uint8Array<ArrayBuffer>): Promise<void>; close(): Promise<void>; abort(reason: unknown): Promise<void> }
  }
}
declare const DecompressionStream: new (format: 'deflate-raw') => ByteStreams
declare class URL {
  static canParse(text: string): boolean
  constructor(text: string)
  readonly hostname: string
  readonly username: string
  readonly password: string
  readonly pathname: string
  readonly hash: string
}
