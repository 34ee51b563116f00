import { isAddress } from './build-address.ts'
import { readInstruction } from './read-dockerfile.ts'

/**
 * Why an instruction behind ONBUILD is refused, in words; null: it may stand. It runs in a build of its own, where nothing is planned before: so it may take from
 * the build's folder alone.
 */
export function triggerProblem(trigger: string, escapeMark: string): string | null {
  const { name, flags, rest } = readInstruction(trigger, 0, escapeMark)
  if (flags.some((flag) => flag.name === 'from' || flag.name === 'mount' || flag.name === 'network' || flag.name === 'security'))
    return 'behind ONBUILD nothing is taken from elsewhere'
  if (rest.includes('<<') && ['ADD', 'COPY', 'RUN'].includes(name)) return 'behind ONBUILD a here-document is not read'
  if (name !== 'ADD') return null
  const words = rest
    .replaceAll(/[[\]",]/g, ' ')
    .trim()
    .split(/\s+/)
  return words.slice(0, -1).some((word) => word.includes('$') || word.includes(escapeMark) || /['"]/.test(word) || isAddress(word))
    ? 'behind ONBUILD no address is fetched, nor what a variable names'
    : null
}
