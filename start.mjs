// `npm start`: installs what is missing, then hands over to the supervisor under the pinned Node.
import { ensureInstalled, runPinned } from './install.mjs'

await ensureInstalled({ developing: false })
runPinned('edge/local/supervise.ts', process.argv.slice(2))
