// How the dashboard is built: into dist/web, as files that the service serves under a policy that runs nothing inline.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const here = fileURLToPath(new URL('.', import.meta.url))

export default defineConfig({
  root: here,
  base: '/',
  publicDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('../dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // Those that know light-dark(): without them it would be written out as two sets of colours.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Nothing may be a data: address, and the polyfill would be for browsers that cannot run the rest.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // What several pages show is one file: a file a component would be twenty requests before the first paint.
      output: { codeSplitting: { groups: [{ name: 'shared', test: /\/(web|sdk)\//, minShareCount: 3 }] } },
    },
  },
})
