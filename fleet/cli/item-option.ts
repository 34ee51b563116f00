import { existsSync, readFileSync } from 'node:fs'
import { card as codeTasks } from '#shared/benchmarks/code_tasks/card.ts'
import type { CreateRun } from '#shared/contract/create-run.ts'
import { UsageError } from './io.ts'

type Asked = { item?: string[] | undefined; benchmark?: string[] | undefined }

/** The choice of items that `--item` makes; undefined where none is made. Throws `UsageError`. */
export function itemsOf({ item, benchmark = [] }: Asked): CreateRun['items'] {
  if (!item) return undefined
  const [name, ...others] = benchmark
  if (name === undefined || others.length > 0)
    throw new UsageError('--item chooses items of one benchmark: name that one with --benchmark.')
  const names = item.flatMap(namesIn)
  if (names.length === 0) throw new UsageError('--item: names nothing')
  return { [name]: names }
}

/** Names in a value: those between commas, or those on the lines of a file, where empty lines and lines with # in front are left out. */
function namesIn(value: string): string[] {
  const given = value.startsWith('@') ? readLines(value.slice(1)).filter((line) => !line.startsWith('#')) : value.split(',')
  return given.flatMap((name) => name.trim() || [])
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/)
      .map((line) => line.trim())
  } catch (cause) {
    throw new UsageError(`--item: ${path} cannot be read: ${cause instanceof Error ? cause.message : cause}`)
  }
}

type Tasked = Asked & { task?: string | undefined; tasks?: string | undefined }

/**
 * Reads `--task NAME` and `--tasks A,B` as the predecessor's harness did: beside a benchmark they are names of its items, and without one of the catalogue's, in
 * place of an uploaded task and of a folder.
 */
export function withTaskNames<V extends Tasked>(values: V): V {
  const { task, tasks, benchmark } = values
  if (task !== undefined && benchmark) return { ...values, task: undefined, item: [...(values.item ?? []), task] }
  if (tasks === undefined || existsSync(tasks) || !(benchmark || looksLikeNames(tasks))) return values
  return { ...values, tasks: undefined, item: [...(values.item ?? []), tasks], benchmark: benchmark ?? [codeTasks.name] }
}

/** Names of the catalogue have underscores, and no signs of a path. */
const looksLikeNames = (text: string): boolean => /^[\w,-]+$/.test(text) && text.includes('_')
