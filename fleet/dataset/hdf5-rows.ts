import { open } from 'node:fs/promises'
import { File, Group, Module, ready } from 'h5wasm/node'
import { datasetError } from './dataset-error.ts'

type Entity = ReturnType<Group['get']>
type Dataset = Extract<Entity, { filters: unknown }>
type Metadata = Dataset['metadata']

/** What a group or a data set of an HDF5 file holds. `at` and `bytes` are a place in the row's data, `dtype` is a type as numpy writes it. */
export type Hdf5Node =
  | { type: 'group'; members: [string, Hdf5Node][] }
  | { type: 'array'; dtype: string; shape: number[]; at: number; bytes: number }
  | { type: 'texts'; shape: number[]; texts: string[] }
  | { type: 'unread'; why: string }

const signature = Buffer.from('\x89HDF\r\n\x1a\n', 'latin1')
/** Most bytes of one row: what can be written and read again in one piece. */
const mostRow = 2 ** 31 - 2 ** 20

/**
 * One row `{ name, root, data }` for each group at the top of an HDF5 file, in the order of names. The members of groups stand in that order too, as
 * h5py gives them. What has a type that numpy has no plain name for is `unread` and says why: who needs it fails, and nobody else.
 * Throws `dataset/bad-record` for a file that is none, or is damaged where it is read.
 */
export async function* hdf5Rows(path: string, name: string): AsyncGenerator<unknown> {
  await ready
  Module.activate_throwing_error_handler() // else it says what is damaged at length on standard error
  const isOne = await isHdf5(path)
  const file = isOne ? readHdf5(`${name}: not a readable HDF5 file`, () => new File(path, 'r')) : null
  if (file === null || file.file_id < 0n) throw datasetError('bad-record', `${name}: not a readable HDF5 file`)
  try {
    for (const key of readHdf5(`${name}: its groups cannot be read`, () => sorted(file.keys()))) {
      const parts: Uint8Array[] = []
      const root = readHdf5(`${name}: the group ${key} cannot be read`, () => nodeOf(file.get(key), parts))
      const size = parts.reduce((sum, part) => sum + part.length, 0)
      if (size > mostRow) throw datasetError('bad-record', `${name}: the group ${key} holds ${size} bytes, more than can be read at once`)
      yield { name: key, root, data: new Uint8Array(Buffer.concat(parts)) }
    }
  } finally {
    file.close()
  }
}

/** What the reader gives. It is handed no more than a file and names out of it, so that what it throws is of the bytes of the file. */
function readHdf5<T>(trouble: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    const said = String(cause instanceof Error ? cause.message : cause)
    const [, why = said] = /\(\): (.+)/.exec(said) ?? [] // of a stack of errors the outermost
    throw datasetError('bad-record', `${trouble} (${why.trim().slice(0, 200)}): the file is damaged`, { cause })
  }
}

/** Whether a file begins as HDF5 does: the reader would say at length on standard error that it does not. */
async function isHdf5(path: string): Promise<boolean> {
  await using file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0)
  return buffer.equals(signature)
}

/** By the bytes of names, as HDF5 sorts them. */
const sorted = (names: string[]): string[] => names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))

function nodeOf(entity: Entity, parts: Uint8Array[]): Hdf5Node {
  if (entity instanceof Group) return { type: 'group', members: sorted(entity.keys()).map((key) => [key, nodeOf(entity.get(key), parts)]) }
  if (entity === null || !('filters' in entity)) return { type: 'unread', why: 'it is neither a group nor a data set' }
  const { metadata } = entity
  if (metadata.shape === null) return { type: 'unread', why: 'it has no shape' }
  if (metadata.type === Module.H5T_class_t.H5T_STRING.value && metadata.vlen)
    return { type: 'texts', shape: metadata.shape, texts: [entity.value].flat() as string[] } // strings by its type, one where it has no dimension
  const dtype = dtypeOf(metadata)
  if (dtype === null) return { type: 'unread', why: `values of class ${metadata.type} and ${metadata.size} bytes are not known` }
  const at = parts.reduce((sum, part) => sum + part.length, 0)
  const bytes = bytesOf(entity, metadata)
  parts.push(bytes)
  return { type: 'array', dtype, shape: metadata.shape, at, bytes: bytes.length }
}

/**
 * How numpy calls a type of values, as h5py reads it: pairs of `r` and `i` are complex, an enumeration of FALSE and TRUE is of booleans. Whatever their
 * order in the file, the reader hands bytes over with the lowest first.
 */
function dtypeOf({ type, size, signed, compound_type, enum_type }: Metadata): string | null {
  const { H5T_INTEGER, H5T_FLOAT, H5T_STRING, H5T_COMPOUND, H5T_ENUM } = Module.H5T_class_t
  switch (type) {
    case H5T_INTEGER.value:
      return `<${signed ? 'i' : 'u'}${size}`
    case H5T_FLOAT.value:
      return `<f${size}`
    case H5T_STRING.value:
      return `|S${size}`
    case H5T_ENUM.value:
      return size === 1 && enum_type?.members.FALSE === 0 && enum_type.members.TRUE === 1 ? '|b1' : `<${signed ? 'i' : 'u'}${size}`
    case H5T_COMPOUND.value: {
      const [real, imaginary, ...more] = compound_type?.members ?? []
      const both = [real, imaginary].every((part) => part?.type === H5T_FLOAT.value && part.size * 2 === size)
      if (!both || more.length > 0 || real?.name !== 'r' || imaginary?.name !== 'i' || imaginary.offset * 2 !== size) return null
      return `<c${size}`
    }
    default:
      return null
  }
}

/** The values as they lie in memory: the reader's own form knows fewer types than numpy. */
function bytesOf({ file_id, path }: Dataset, { size, total_size }: Metadata): Uint8Array {
  const bytes = size * total_size
  if (bytes === 0) return new Uint8Array()
  const place = Module._malloc(bytes)
  if (place === 0) throw datasetError('bad-record', `${path}: ${bytes} bytes do not fit into memory`)
  try {
    Module.get_dataset_data(file_id, path, null, null, null, BigInt(place))
    return Module.HEAPU8.slice(place, place + bytes)
  } finally {
    Module._free(place)
  }
}
