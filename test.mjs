// `npm test`: installs what is missing, then runs every check under the pinned Node.
import { ensureInstalled, runPinned } from './install.mjs'

await ensureInstalled({ developing: true })
runPinned('prove/test-all.ts', process.argv.slice(2))
