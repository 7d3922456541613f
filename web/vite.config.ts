/** Builds the dashboard, the shop and GraphiQL into dist/web, which the server serves; `vite web` serves them with the API of a running server. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The server whose API the development server passes on. */
const api = `http://127.0.0.1:${process.env.PORT ?? 4000}`;

/** What the server does in production: pages have addresses without an ending, and the shop has many. */
const pagePaths: Plugin = {
  name: 'page-paths',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _response, next) => {
      const path = request.url?.split('?', 1)[0] ?? '';
      if (path === '/graphiql') request.url = '/graphiql.html';
      if (path === '/shop' || path.startsWith('/shop/')) request.url = '/shop.html';
      next();
    });
  },
};

export default defineConfig({
  root: here('.'),
  plugins: [react(), pagePaths],
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
      input: { dashboard: here('index.html'), shop: here('shop.html'), graphiql: here('graphiql.html') },
      // GraphiQL carries directives for the React compiler, which does not run here.
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
    },
  },
  worker: { format: 'es' },
  // For the development server, which does not look into workers: CommonJS packages that the editor's GraphQL worker imports.
  optimizeDeps: {
    include: ['graphql', 'monaco-graphql > picomatch-browser', 'monaco-graphql > graphql-language-service'],
  },
  server: {
    port: 4173,
    proxy: {
      // The server refuses sockets of other origins: to it, the page is its own.
      '/graphql': { target: api, ws: true, changeOrigin: true, headers: { origin: api } },
      '/hit': api,
    },
  },
});
