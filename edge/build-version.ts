declare const BUILD_VERSION: string | undefined
declare const BUILD_COMMIT: string | undefined

/** Version of the sources this was built from, with their commit; `vite build` puts it in. Unbuilt sources (tests) are `unbuilt`. */
export const buildVersion: string = typeof BUILD_VERSION === 'string' ? BUILD_VERSION : 'unbuilt'

/** Git commit of the build, in 40 hex digits; null where there was no repository or it had changes. */
export const buildCommit: string | null = typeof BUILD_COMMIT === 'string' && BUILD_COMMIT !== '' ? BUILD_COMMIT : null
