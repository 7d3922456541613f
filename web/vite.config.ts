/** Builds the dashboard and GraphiQL into dist/web, which the server serves; `vite web` serves both with the API of a running server. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The server whose API the development server passes on. */
const api = `http://127.0.0.1:${process.env.PORT ?? 4000}`;

export default defineConfig({
  root: here('.'),
  plugins: [react()],
  build: {
    outDir: here('../dist/web'),
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'], // these know light-dark(), on which the tokens stand
    // Monaco's workers are three megabytes and load with /graphiql alone; the dashboard's own bound is tested.
    chunkSizeWarningLimit: 4000,
    // The content security policy takes no data: script, and small inlined files would not be cached on their own.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { dashboard: here('index.html'), graphiql: here('graphiql.html') },
      // GraphiQL carries directives for the React compiler, which does not run here.
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
    },
  },
  worker: { format: 'es' },
  server: {
    port: 4173,
    proxy: {
      // The server refuses sockets of other origins: to it, the page is its own.
      '/graphql': { target: api, ws: true, changeOrigin: true, headers: { origin: api } },
      '/hit': api,
    },
  },
});
