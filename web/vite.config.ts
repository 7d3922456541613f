/**
 * Builds the dashboard, the shop, GraphiQL, and the script and style of the public site into dist/web, which the server serves. `vite
 * web` serves them with the API of a running server.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The server whose API the development server proxies. */
const api = `http://127.0.0.1:${process.env.PORT ?? 4000}`;

/** As in production: page URLs have no extension, and all shop URLs serve one page. */
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

/** Loads each generated GraphQL document as its own module, so that a page bundles only the documents that it uses. */
const DOCUMENT = 'document:';
const CALL = /graphql\(\s*`\s*(query|mutation|subscription|fragment) (\w+)[^`]*`,?\s*\)/g;

const documents: Plugin = {
  name: 'documents',
  enforce: 'pre',
  resolveId: (id) => (id.startsWith(DOCUMENT) ? `\0${id}` : null),
  load: async (id) => {
    if (!id.startsWith(`\0${DOCUMENT}`)) return null;
    const name = id.slice(DOCUMENT.length + 1);
    const generated = await readFile(here('generated/graphql.ts'), 'utf8');
    const [, document] =
      new RegExp(`^export const ${name} = (\\{.*\\}) as unknown as DocumentNode`, 'm').exec(generated) ?? [];
    if (!document) throw new Error(`There is no ${name}: run \`npm run generate\``);
    return `export default ${document}`;
  },
  transform: (code, id) => {
    if (!id.startsWith(here('src/')) || !code.includes('graphql(`')) return null;
    const imports: string[] = [];
    const replaced = code.replace(CALL, (_call, kind: string, operation: string) => {
      const name = `${operation}${kind === 'fragment' ? 'FragmentDoc' : 'Document'}`;
      imports.push(`import __${name} from '${DOCUMENT}${name}';`);
      return `__${name}`;
    });
    if (replaced.includes('graphql(`')) throw new Error(`${id} has a GraphQL document that cannot be parsed`);
    return { code: `${replaced}\n${imports.join('\n')}`, map: null };
  },
};

/** Smaller files fit into one packet either way. */
const SMALL_BYTES = 1024;
/** At the highest level, the editor takes 15 s to compress and gets only 5 % smaller. */
const HIGHEST_LEVEL_BYTES_MAX = 700_000;

/** Also writes each text file as brotli and gzip: the server sends what the browser accepts and compresses nothing. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  writeBundle: async ({ dir = '' }, bundle) => {
    const texts = Object.keys(bundle).filter((name) => /\.(?:js|css|html|svg|ttf)$/.test(name));
    await Promise.all(texts.map((name) => compressFile(join(dir, name))));
  },
};

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < SMALL_BYTES) return;
  const quality = bytes.length > HIGHEST_LEVEL_BYTES_MAX ? 9 : constants.BROTLI_MAX_QUALITY;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}

export default defineConfig({
  root: here('.'),
  plugins: [documents, react(), pagePaths, compressed],
  build: {
    outDir: here('../dist/web'),
    assetsDir: 'built', // pictures of users are at /assets
    emptyOutDir: true,
    manifest: true, // the server renders the public site's pages, and reads there what their files are called
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'], // these support light-dark(), which the tokens use
    // Monaco's workers are 3 MB and load with /graphiql only; a test bounds the size of the dashboard itself.
    chunkSizeWarningLimit: 4000,
    // The content security policy blocks data: scripts, and small inlined files would not be cached separately.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: {
        dashboard: here('index.html'),
        shop: here('shop.html'),
        graphiql: here('graphiql.html'),
        site: here('src/site/main.ts'),
      },
      checks: { bundlerTimings: false }, // compressing takes most of a build, which is not a fault
      // GraphiQL contains directives for the React compiler, which is not used here.
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
    },
  },
  worker: { format: 'es' },
  // The development server does not scan workers: these are CommonJS packages that the editor's GraphQL worker imports.
  optimizeDeps: {
    include: ['graphql', 'monaco-graphql > picomatch-browser', 'monaco-graphql > graphql-language-service'],
  },
  server: {
    port: 4173,
    proxy: {
      // The server refuses sockets from other origins, so the proxy sends the server's own origin.
      '/graphql': { target: api, ws: true, changeOrigin: true, headers: { origin: api } },
      '/hit': api,
      '/blog': api,
      '/assets': api,
      '^/ads(\\.js|/(decide|forget|seen|click|conversion|frame|unit))': api,
    },
  },
});
