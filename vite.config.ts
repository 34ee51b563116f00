import { cloudflare } from '@cloudflare/vite-plugin'
import { solidStart } from '@solidjs/start/config'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { sourceVersion } from './fleet/source-version.ts'

const { version, commit } = sourceVersion(import.meta.dirname)

export default defineConfig({
  define: { BUILD_VERSION: JSON.stringify(version), BUILD_COMMIT: JSON.stringify(commit ?? '') },
  publicDir: 'web/public',
  // Fonts as data: addresses would break the pages' content policy.
  build: { target: 'es2024', assetsInlineLimit: 0 },
  plugins: [
    // Only files with JSX need Babel: by default it reads every module, those of packages too, and takes half of the build.
    solidStart({ appRoot: './web/src', devOverlay: false, solid: { include: /\.[mc]?[jt]sx(\?|$)/ } }),
    tailwindcss(),
    cloudflare({ viteEnvironment: { name: 'ssr' }, inspectorPort: false }),
  ],
})
