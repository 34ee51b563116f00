import { existsSync, readFileSync } from 'node:fs'
import * as z from 'zod'
import type { TableName } from '#shared/contract/card.ts'
import type { TrustedKey } from '#shared/export/verify-report.ts'
import { createClient } from '../client.ts'
import { defineCommand } from '../command.ts'
import { CommandError, type Io } from '../io.ts'
import { openTablesHere } from '../tables-here.ts'
import { clean } from '../terminal.ts'
import { fetchKeys, pinnedKey, verifyFile } from '../verify.ts'

export const verify = defineCommand({
  name: 'verify',
  summary:
    'Checks a signed ZIP, or the folder that it was unpacked into, on this machine: structure, signature, hashes, and every score computed again. Exit code 3 when it does not hold.',
  arguments: ['PATH'],
  options: {
    key: { help: 'public key you trust: PEM or base64, or a file of it; may be repeated', value: 'KEY', multiple: true },
  },
  values: z.object({ key: z.array(z.string()).default([]) }),
  examples: [
    'bench verify benchmark_results.zip --key public_key.txt',
    'bench verify benchmark_results/ --key public_key.txt        takes the folder of an unpacked ZIP too',
    'bench verify benchmark_results.zip        asks the service at BENCH_URL for its keys',
  ],
  async run({ values, positionals, json, url }, io) {
    const [path = ''] = positionals
    if (!existsSync(path)) throw new CommandError(`There is no file or folder ${path}.`)
    const tablesOf = async (names: readonly TableName[]) => {
      const { tables, missing } = await openTablesHere(names, io)
      for (const { name, detail } of missing) io.err(`The table ${name} could not be had, scores that need it are not computed: ${detail}`)
      return tables
    }
    const keys = values.key.length > 0 ? values.key.map(readKey) : await keysOfService(io, url)
    const { report, lines, exitCode } = await verifyFile(path, {
      keys,
      now: new Date(),
      tablesOf,
      onProgress: (done, total) => io.progress(progressText(done, total)),
    })
    io.progress('')
    for (const line of json ? [JSON.stringify(report)] : lines.map(clean)) io.out(line)
    return exitCode
  },
})

const progressText = (done: number, total: number): string => `checking, ${Math.floor((done / total) * 100)} %`

function readKey(given: string): TrustedKey {
  try {
    return pinnedKey(existsSync(given) ? readFileSync(given, 'utf8') : given)
  } catch (cause) {
    throw new CommandError(`--key ${given.slice(0, 60)} is neither a public key nor a file of one.`, 'failed', null, { cause })
  }
}

/** Whoever asks the service for its keys trusts the service; without it the check goes on and says that the key is not known. */
async function keysOfService(io: Io, url: string | undefined): Promise<TrustedKey[]> {
  try {
    return await fetchKeys(createClient(io, url).url, io.fetch)
  } catch {
    io.err('No key was given and no service answers: the signature is checked, but nobody vouches for the key. Give one with --key.')
    return []
  }
}
