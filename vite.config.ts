import { cloudflare } from '@cloudflare/vite-plugin'
import { solidStart } from '@solidjs/start/config'
import tailwindcss from '@tailwindcss/vite'
import icons from 'unplugin-icons/vite'
import { defineConfig } from 'vite'
import { sourceVersion } from './fleet/source-version.ts'

const { version, commit } = sourceVersion(import.meta.dirname)

/** Makes an icon's component. Props: `size` in pixels (24), `stroke-width` (2), and other SVG attributes. */
const iconComponent = (svg: string) => `
  import { splitProps } from 'solid-js'
  export default (props) => {
    const [own, rest] = splitProps(props, ['size'])
    return ${svg
      .replaceAll(' stroke-width="2"', '')
      .replace(
        / width="[^"]*" height="[^"]*"/,
        ' stroke-width="2" aria-hidden="true" width={own.size ?? 24} height={own.size ?? 24} {...rest}',
      )}
  }`

export default defineConfig({
  define: { BUILD_VERSION: JSON.stringify(version), BUILD_COMMIT: JSON.stringify(commit ?? '') },
  publicDir: 'web/public',
  // Fonts as data: addresses would break the pages' content policy.
  build: { target: 'es2024', assetsInlineLimit: 0 },
  plugins: [
    // Only files with JSX need Babel: by default it reads every module, those of packages too, and takes half of the build.
    solidStart({ appRoot: './web/src', devOverlay: false, solid: { include: /\.[mc]?[jt]sx(\?|$)/ } }),
    tailwindcss(),
    icons({ compiler: { compiler: iconComponent, extension: 'jsx' } }),
    cloudflare({ viteEnvironment: { name: 'ssr' }, inspectorPort: false }),
  ],
})
