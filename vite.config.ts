import { cloudflare } from '@cloudflare/vite-plugin'
import { solidStart } from '@solidjs/start/config'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  publicDir: 'web/public',
  build: { target: 'es2024' },
  plugins: [
    solidStart({ appRoot: './web/src', devOverlay: false }),
    tailwindcss(),
    cloudflare({ viteEnvironment: { name: 'ssr' }, inspectorPort: false }),
  ],
})
