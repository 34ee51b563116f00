import { existsSync } from 'node:fs'

const usual = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`)

/**
 * Path of Chromium on this machine: the value of CHROMIUM, else the headless shell, else a whole
 * browser. The shell renders the same pages with half the processor time.
 */
export const chromiumPath: string | undefined = [process.env.CHROMIUM, ...usual].find((path) => path !== undefined && existsSync(path))
