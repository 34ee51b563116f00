import { join } from 'node:path'
import { readSettings } from '#edge/local/settings.ts'
import { benches } from '../bench/benches.ts'
import { comparisons } from '../parity/comparisons.ts'
import { proofs, proofsUsage } from '../proofs.ts'
import { judgeBench } from './judge-bench.ts'
import { fileText, type Place, unknownFlag } from './place.ts'

/** What is wrong with an `npm` command of this repository, or null: the script must be there, and the program behind it must know its name and options. */
export async function judgeNpm([action = '', ...rest]: readonly string[], place: Place): Promise<string | null> {
  const given = rest[0] === '--' ? rest.slice(1) : rest
  switch (action) {
    case 'ci':
      return given.length === 0 ? null : 'npm ci takes nothing here'
    case 'install':
      if (place.mention && given.length === 1) return null
      return given[0] === '-g' && /^\.\/chutes-bench-runner-\S+\.tgz$/.test(given[1] ?? '') ? null : 'installs another package'
    case 'start':
      return judgeStart(given)
    case 'test':
      return judgeVitest(
        given.filter((word) => word !== '--times'),
        place,
      )
    case 'run':
      return judgeScript(rest, place)
    default:
      return `npm ${action} is not known`
  }
}

function judgeStart(args: readonly string[]): string | null {
  try {
    readSettings('.', [...args], {})
    return null
  } catch (error) {
    return error instanceof Error ? error.message.split('\n')[0]! : String(error)
  }
}

async function judgeScript([script = '', dashes, ...args]: readonly string[], place: Place): Promise<string | null> {
  const { scripts } = JSON.parse(fileText(place.tree, 'package.json')) as { scripts: Record<string, string> }
  const run = scripts[script]
  if (run === undefined) return `there is no script ${script}`
  if (dashes !== undefined && dashes !== '--') return `words for npm run ${script} stand behind --`
  const [name = '', ...more] = args
  if (script === 'cli') return judgeBench(args, place.mention)
  if (script === 'unit') return judgeVitest(args, place)
  if (script === 'prove') return judgeProof(args, place)
  if (script === 'bench') return name === '' && place.mention ? null : judgeMeasurement(name, more, place)
  if (script === 'parity') {
    const names = args.filter((word, at) => !word.startsWith('--') && !args[at - 1]?.startsWith('--'))
    const lost = names.find((one) => !Object.hasOwn(comparisons, one))
    const flag = unknownFlag(args, fileText(place.tree, 'prove/parity/main.ts'))
    return lost === undefined ? flag && `parity has no --${flag}` : `there is no comparison ${lost}`
  }
  if (/wrangler deploy/.test(run))
    return args.every((word, at) => word === '--secrets-file' || args[at - 1] === '--secrets-file')
      ? null
      : 'wrangler is not given that here'
  const program = /^node (\S+)$/.exec(run)?.[1]
  const flag = unknownFlag(args, program ? fileText(place.tree, program) : '')
  return flag && `npm run ${script} has no --${flag}`
}

/** A proof by name with its options, as `npm run prove --` takes them. */
export function judgeProof([name = '', ...args]: readonly string[], place: Place): string | null {
  if (name === '') return place.mention ? null : 'names no proof'
  if (name.startsWith('--') && place.mention) return null
  if (!Object.hasOwn(proofs, name)) return `there is no proof ${name}`
  const program = name === 'soak' ? 'bench/soak.ts' : proofs[name as keyof typeof proofs]
  const flag = unknownFlag(args, proofsUsage, fileText(place.tree, join('prove', program)))
  return flag && `the proof ${name} has no --${flag}`
}

function judgeMeasurement(name: string, args: readonly string[], { tree }: Place): string | null {
  if (!Object.hasOwn(benches, name)) return `there is no measurement ${name}`
  const flag = unknownFlag(args, fileText(tree, `prove/bench/${name}.ts`))
  return flag && `the measurement ${name} has no --${flag}`
}

/** Vitest with a project of ours and paths that select something. */
export function judgeVitest(args: readonly string[], { tree }: Place): string | null {
  const valued = new Set(['--project', '-t'])
  const project = args[args.indexOf('--project') + 1]
  if (args.includes('--project') && !fileText(tree, 'vitest.config.ts').includes(`name: '${project}'`))
    return `there is no project ${project}`
  const paths = args.filter((word, at) => !word.startsWith('-') && !valued.has(args[at - 1] ?? ''))
  const lost = paths.find((part) => ![...tree.keys()].some((path) => /\.test\.ts$/.test(path) && path.includes(part)))
  return lost === undefined ? null : `no test file is named ${lost}`
}

/** A program of this repository that Node runs: its file must be there and know the options. */
export function judgeNode([file = '', ...args]: readonly string[], place: Place): string | null {
  if (/^node_modules\/vitest\//.test(file)) return judgeVitest(args.slice(1), place)
  if (!place.tree.has(file)) return `there is no ${file}`
  if (file === 'prove/main.ts') return judgeProof(args, place)
  const flag = unknownFlag(args, fileText(place.tree, file))
  return flag && `${file} has no --${flag}`
}
