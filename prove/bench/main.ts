import { benches } from './benches.ts'

const [name, ...args] = process.argv.slice(2)
const bench = name === undefined ? undefined : benches[name]
if (bench) process.exit(await bench.run(args).catch(refused))
console.log('npm run bench -- NAME [options]\n')
for (const [known, { what }] of Object.entries(benches)) console.log(`  ${known.padEnd(12)} ${what}`)
process.exit(name === undefined ? 0 : 2)

function refused(error: Error & { code?: string }): number {
  if (!error.code?.startsWith('ERR_PARSE_ARGS')) throw error
  console.error(`npm run bench -- ${name}: ${error.message}`)
  return 2
}
