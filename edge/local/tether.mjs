// Preloaded into every child of the supervisor (`node --import`): a child never outlives the process that started it.
if (process.channel) {
  process.once('disconnect', () => {
    process.kill(process.pid, 'SIGTERM')
    setTimeout(() => {
      try {
        // The children lead their own process groups (see part.ts), so this takes what they started along.
        process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL')
      } catch {
        process.exit(1)
      }
    }, 5_000).unref()
  })
  process.channel.unref()
}
