// How the page is built: one folder of static files , no
// inlined data (the server's content policy allows files of its own only).
import { defineConfig } from 'vitest/config';

const server = process.env['SHIDO_URL'] ?? 'http://127.0.0.1:8510';

export default defineConfig({
  base: '/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: { dedupe: ['preact'] },
  build: {
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // `npm run dev` serves the sources and hands the API on to a running shido.
  server: {
    proxy: {
      '/api': { target: server, changeOrigin: true, headers: { origin: server } },
    },
  },
  test: { include: ['tests/**/*.test.ts'], pool: 'threads' },
});
