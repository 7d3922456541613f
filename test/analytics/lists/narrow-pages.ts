/** The pages of analytics with long content. */
import type { Product } from '../../../harness/product.js';
import { logLine } from '../../browser/support/access-log.js';
import { ask, LONG, type NarrowPages } from '../../browser/support/narrow-pages.js';

const HOST = `${'long-name.'.repeat(20)}example`;
const PATH = `/${'no-place-to-break'.repeat(18)}?q=${'x'.repeat(60)}`;

const traffic = `site=${HOST}&page=${encodeURIComponent(PATH)}`;

export const narrowPages: NarrowPages = {
  fill,
  forAdministrators: [
    ['/', `/?${traffic}&last=P1D`, 'Undo the import'],
    ['/traffic/requests', `/traffic/requests?site=${HOST}`, 'no-place-to-break'],
    ['/traffic/sessions', '/traffic/sessions', LONG],
    ['/traffic/growth', '/traffic/growth', 'How the log grows'],
  ],
};

async function fill(product: Product): Promise<void> {
  const now = Date.now();
  await ask(
    product,
    'mutation ($host: String!) { registerSite(input: { host: $host, allowedOrigins: [] }) { __typename } }',
    {
      host: HOST,
    },
  );
  const lines = [1, 2, 3].map((hour) => logLine({ at: now - hour * 3_600_000, path: PATH }));
  const file = new File([`${[...lines, `no request ${'x'.repeat(300)}`].join('\n')}\n`], `${LONG}.log`);
  const { data } = await product.upload<{ importLog: { id: string } }>(
    'mutation ($file: Upload!, $input: ImportLogInput!) { importLog(file: $file, input: $input) { ... on LogImport { id } } }',
    { input: { site: HOST } },
    file,
  );
  const follow = 'subscription ($id: ID!) { logImportChanged(id: $id) { import { state } } }';
  const changes = product.subscribe<{ logImportChanged: { import: { state: string } } }>(follow, data?.importLog);
  for await (const { data: event } of changes) if (event?.logImportChanged.import.state === 'FINISHED') break;
  const session = { userId: LONG.repeat(2), at: new Date(now - 7_200_000).toISOString(), length: 86_000 };
  await ask(product, 'mutation ($sessions: [SessionInput!]!) { recordSessions(sessions: $sessions) { recorded } }', {
    sessions: [session],
  });
  await ask(product, 'mutation { rollUp(cutoff: "PT0S") { __typename } }');
}
