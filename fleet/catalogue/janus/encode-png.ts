import { zlibSync } from 'fflate'
import { writePng } from '#shared/janus/write-png.ts'
import { type Canvas, colourNames, colours } from './canvas.ts'

const palette = colourNames.map((name) => colours[name])

/**
 * A canvas as a PNG file. It is packed by fflate and not by Node's zlib, whose output differs between versions and processors: a picture is known by the
 * hash of its file.
 */
export const encodePng = ({ width, height, pixels }: Canvas): Uint8Array =>
  writePng({ width, height, palette, pixels }, (lines) => zlibSync(lines, { level: 9 }))
