import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { projectRoot } from '../../harness/project-root.js';
import { describeInBrowser } from './support/chromium.js';
import { eventually, useDashboard } from './support/dashboard.js';

const HOST = 'field-notes.example';

const folder = join(projectRoot, 'web/graphiql/examples');
/** In the order of their tabs. */
const examples = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.graphql'))
  .toSorted((one, other) => basename(one).localeCompare(basename(other)))
  .map((name) => readFileSync(join(folder, name), 'utf8'));

describeInBrowser('GraphiQL', () => {
  const dashboard = useDashboard();
  const at = new Date(Date.now() - 60_000).toISOString();
  const hit = () =>
    dashboard.product.request('mutation ($hit: HitInput!) { recordHit(hit: $hit) { recorded } }', {
      hit: { site: HOST, page: '/', at }, // both hits in one slot, even if a minute boundary passes
    });

  it('has a tab for each file of examples, and the documentation of the schema', async () => {
    const page = await dashboard.openSignedIn('/graphiql');
    const tabs = page.locator('.graphiql-tab-button');
    const names = examples.map((text) => /^(?:query|mutation|subscription) (\w+)/m.exec(text)?.[1]);
    expect(names.length).toBeGreaterThan(10);
    await eventually(() => tabs.allTextContents()).toEqual(names);
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByRole('link', { name: 'Subscription' }).click();
    await page.getByRole('link', { name: 'hitChartChanged' }).click();
    await page.getByText('The length of the period that ends now').first().waitFor();
  });

  it('starts with a read-only query, and has no mutation that writes to a site of the user', async () => {
    expect(examples[0]).toMatch(/^#.*\nquery /);
    const writing = examples.join('\n').match(/mutation \w+\([^)]*\$site:/g);
    expect(writing).toBeNull();
  });

  it('restores its tabs after a reload: the open one with its variables, and no additional ones', async () => {
    const page = await dashboard.openSignedIn('/graphiql');
    const variables = page.locator('.graphiql-editor-tool .view-lines').first();
    const tabs = page.locator('.graphiql-tab-button');
    await run(page, 'SessionStats');
    await eventually(() => variables.textContent()).toContain('range');
    // GraphiQL stores its tabs half a second later.
    await eventually(() => page.evaluate(`localStorage.getItem('graphiql:tabState')`)).toMatch(/"activeTabIndex":5/);
    const names = await tabs.allTextContents();
    for (const _reload of [1, 2]) {
      await page.reload();
      await eventually(() => variables.textContent()).toContain('range');
    }
    expect(await tabs.allTextContents()).toEqual(names);
    await runOpen(page, 'SessionStats');
    const response = page.locator('.graphiql-response .view-lines');
    await eventually(async () => (await response.textContent())?.replace(/\s/g, '')).toContain('"sessionStats":{');
  });

  it('shows a readable error when the server is unreachable', async () => {
    const page = await dashboard.openSignedIn('/graphiql');
    const response = page.locator('.graphiql-response .view-lines');
    await run(page, 'Viewer');
    await eventually(() => response.textContent()).toContain('Administrator');
    dashboard.expectErrors(/^Event$/); // from an editor worker whose script had not been loaded yet
    await dashboard.stop();
    await runOpen(page, 'Viewer');
    await eventually(async () => (await response.textContent())?.replaceAll('\u00a0', ' ')).toContain(
      'The server cannot be reached.',
    );
    expect(await response.textContent()).not.toMatch(/stack|\.js:/);
    await dashboard.restart();
  });

  it('runs a subscription over its socket, authenticated by the cookie', async () => {
    await dashboard.product.request(
      `mutation { registerSite(input: { host: "${HOST}", allowedOrigins: [] }) { __typename } }`,
    );
    await hit();
    const page = await dashboard.openSignedIn('/graphiql');
    await run(page, 'LiveHitChart');
    const response = page.locator('.graphiql-response .view-lines');
    await eventually(() => response.textContent()).toContain('HitChartSnapshot');
    await hit();
    await eventually(() => response.textContent()).toContain('HitChartChange');
    expect(await response.textContent()).toMatch(/"count":\s*2/);
  });

  it('fits its header on a narrow page', async () => {
    const page = await dashboard.openSignedIn('/graphiql');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('navigation', { name: 'Pages' }).getByText('System').waitFor();
    await eventually(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('shows operation and result on a phone, and gives a side pane the whole page until an example is opened', async () => {
    const page = await dashboard.openSignedIn('/graphiql');
    await page.evaluate(`localStorage.setItem('graphiql:editorFlex', '4')`); // dragged on a wide window
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await run(page, 'Viewer');
    const [editors, response] = [page.locator('.graphiql-query-editor'), page.locator('.graphiql-response')];
    await eventually(() => response.locator('.view-lines').textContent()).toContain('viewer');
    for (const pane of [editors, response]) {
      const { width, height } = await boxOf(pane);
      expect(width).toBeGreaterThan(350);
      expect(height).toBeGreaterThan(270);
    }
    await page.setViewportSize({ width: 390, height: 640 });
    await page.getByRole('button', { name: 'Variables' }).click();
    const variables = page.locator('.graphiql-editor-tool');
    await eventually(async () => (await variables.boundingBox())?.x).toBeGreaterThan(0);
    const [{ y: end }, { y: begin, height }] = [await boxOf(response), await boxOf(variables)];
    expect(height).toBeGreaterThan(70);
    expect(begin + height).toBeLessThanOrEqual(end);
    await page.getByRole('button', { name: 'Show Examples' }).click();
    const examples = page.getByRole('region', { name: 'Examples' });
    await eventually(async () => (await examples.boundingBox())?.width).toBeGreaterThan(340);
    await examples.getByRole('button', { name: /SessionStats/ }).click();
    await eventually(() => editors.locator('.view-lines').textContent()).toContain('SessionStats');
    expect(await response.isVisible()).toBe(true);
  });

  it('is open to visitors, who can sign in from its header', async () => {
    const page = await dashboard.open('/graphiql');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await run(page, 'Viewer');
    const response = page.locator('.graphiql-response .view-lines');
    await eventually(async () => (await response.textContent())?.replace(/\s/g, '')).toContain('"viewer":null');
  });
});

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('The element is not visible');
  return box;
}

/** Runs the operation that names its tab. */
async function run(page: Page, operation: string): Promise<void> {
  const editor = page.locator('.graphiql-query-editor .view-lines');
  await eventually(() => editor.textContent()).not.toBe(''); // the editor is ready
  await page.locator('.graphiql-tab-button', { hasText: operation }).click();
  await eventually(() => editor.textContent()).toContain(operation);
  await runOpen(page, operation);
}

/** Runs one of the operations in the open tab. */
async function runOpen(page: Page, operation: string): Promise<void> {
  await page.getByRole('button', { name: 'Execute query' }).click();
  await page.getByRole('menuitem', { name: operation, exact: true }).click();
}
