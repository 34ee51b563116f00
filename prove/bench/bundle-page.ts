import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '../..')

/** The verify page's worker as one script. */
export async function bundleBrowserWorker(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'web/src/verify/verify-worker.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2024',
    logLevel: 'warning',
  })
  return outputFiles[0]!.text
}

/** A page that hands the file it is given to that worker. */
export const verifyPage = `<input type="file"><script>
const verify = (trustedKeys) => new Promise((resolve, reject) => {
  const worker = new Worker('/worker.js')
  worker.onmessage = ({ data }) => (data.report ? resolve(data.report) : data.error && reject(new Error(data.error)))
  worker.onerror = ({ message }) => reject(new Error(message))
  worker.postMessage({ file: document.querySelector('input').files[0], trustedKeys })
})
</script>`
