import { join } from 'node:path'
import { startLocalDatabase } from '#db/embedded/local-database.ts'

/** Child process that holds PostgreSQL and its Neon endpoint, on the ports and in the directory the supervisor names. */
const { BENCH_DATA: dataDir, BENCH_POSTGRES_PORT: port, BENCH_ENDPOINT_PORT: endpointPort } = process.env
if (!dataDir) throw new Error('BENCH_DATA is not set')
const database = await startLocalDatabase({
  dataDir: join(dataDir, 'postgres'),
  port: Number(port),
  endpointPort: Number(endpointPort),
  report: (message) => {
    console.log(`${new Date().toISOString()} ${message}`)
    process.send?.({ type: 'restarted' })
  },
})
let stopping = false
const stop = () => {
  if (stopping) return
  stopping = true
  database.stop().then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
process.send?.({ type: 'ready', url: database.databaseUrl, endpoint_url: database.endpointUrl, detail: 'PostgreSQL' })
