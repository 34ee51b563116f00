import { existsSync } from 'node:fs'

const usual = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`)

/**
 * Path of a Chromium on this machine, if there is one: what CHROMIUM names, else the headless shell, which draws the same pages without the
 * window around them and takes half of the time.
 */
export const chromiumPath: string | undefined = [process.env.CHROMIUM, ...usual].find((path) => path !== undefined && existsSync(path))
