import { writePng } from '#shared/janus/write-png.ts'
import { type Canvas, colourNames, colours } from './canvas.ts'

const palette = colourNames.map((name) => colours[name])

/** A canvas as a PNG file. */
export const encodePng = ({ width, height, pixels }: Canvas): Uint8Array => writePng({ width, height, palette, pixels })
