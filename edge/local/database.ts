import { startLocalDatabase } from '#db/embedded/local-database.ts'

/** Child process that holds PostgreSQL and its Neon endpoint; it ends when either of them does. */
const dataDir = process.env.BENCH_DATA
if (!dataDir) throw new Error('BENCH_DATA is not set')
const database = await startLocalDatabase({ dataDir })
let stopping = false
const stop = () => {
  if (stopping) return
  stopping = true
  database.stop().then(
    () => process.exit(0),
    (error) => {
      console.error(error)
      process.exit(1)
    },
  )
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
database.exited.then(
  () => stopping || process.exit(1),
  () => stopping || process.exit(1),
)
process.send?.({ type: 'ready', url: database.url, endpoint_url: database.endpointUrl, detail: 'PostgreSQL' })
