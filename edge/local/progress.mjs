// Like install.mjs it runs on the Node of the machine before anything is installed.

/**
 * Says that `what` goes on while `work` does: on a terminal one line that counts the seconds, elsewhere a line every ten seconds.
 * @template T
 * @param {string} what
 * @param {Promise<T>} work
 * @param {{ isTTY?: boolean, write(text: string): unknown }} out
 * @returns {Promise<T>}
 */
export async function tellProgress(what, work, out = process.stdout) {
  const startedMs = Date.now()
  const line = () => `${what} (${Math.round((Date.now() - startedMs) / 1000)} s)`
  const timer = setInterval(() => out.write(out.isTTY ? `\r${line()}` : `${line()}\n`), out.isTTY ? 1_000 : 10_000)
  try {
    return await work
  } finally {
    clearInterval(timer)
    if (out.isTTY) out.write(`\r${' '.repeat(line().length)}\r`)
  }
}
