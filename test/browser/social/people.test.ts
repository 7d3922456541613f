/** Many people in the network: imported, listed page by page, blocked on their walls, and reached by posts. */
import { beforeAll, expect, it } from 'vitest';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';
import { addMember, type Member } from '../support/network.js';

const IMPORTED = 45;
const PAGE = 20;

describeInBrowser('people of the network', () => {
  const dashboard = useDashboard();
  let ann: Member;
  let ben: Member;
  beforeAll(async () => {
    ann = await addMember(dashboard.product, 'Ann');
    ben = await addMember(dashboard.product, 'Ben');
  });

  it('are imported by an administrator, who sees the progress and what was rejected', async () => {
    const people = Array.from({ length: IMPORTED }, (_, at) => ({ person: `${at}`, name: `Sailor ${10 + at}` }));
    const rows = [...people.map((row) => JSON.stringify(row)), 'not a row'].join('\n');
    const page = await dashboard.openSignedIn('/social/maintenance');
    await page.getByLabel('Source').fill('old-network');
    const file = { name: 'network.jsonl', mimeType: 'application/x-ndjson', buffer: Buffer.from(rows) };
    await page.getByLabel('File, plain or gzip').setInputFiles(file);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByText(`${IMPORTED} imported, 0 skipped, 1 rejected.`).waitFor();
    await page.reload();
    await page.getByRole('button', { name: '1 rejected row' }).click();
    await page.getByRole('dialog').getByText('not a row').waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it('are at /people for members, where administrators have the accounts', async () => {
    const page = await dashboard.openSignedIn('/people', ann);
    await page.getByLabel('What is new?').waitFor();
    expect(new URL(page.url()).pathname).toBe('/social');
    await page.goto(`${dashboard.url}/people/keys`);
    await page.getByText('You cannot open this page').waitFor();
    const accounts = await dashboard.openSignedIn('/people');
    await accounts.getByText(ann.email).waitFor();
    expect(new URL(accounts.url()).pathname).toBe('/people');
  });

  it('are found, and listed page by page', async () => {
    const page = await dashboard.openSignedIn('/social/people', ann);
    const everybody = page.getByRole('list', { name: 'Everybody by name' }).getByRole('listitem');
    await everybody
      .filter({ hasText: 'Ben' })
      .getByRole('button', { name: /circles of Ben/ })
      .waitFor();
    const herself = everybody.filter({ has: page.getByText('you', { exact: true }) });
    await eventually(() => herself.getByRole('link').allInnerTexts()).toEqual(['Ann']);
    expect(await herself.getByRole('button').count()).toBe(0);
    await page.getByLabel('Name', { exact: true }).fill('Sailor');
    const found = page.getByRole('list', { name: 'People found' }).getByRole('link');
    await eventually(() => found.count()).toBe(PAGE);
    await page.getByRole('button', { name: 'Show more' }).click();
    await eventually(() => found.count()).toBe(2 * PAGE);
    await page.getByRole('button', { name: 'Show more' }).click();
    await eventually(() => found.count()).toBe(IMPORTED);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    expect(new Set(await found.allInnerTexts()).size).toBe(IMPORTED);
  });

  it('are listed page by page in their circles, and removed there', async () => {
    const { findProfiles } = await ann.ask<{ findProfiles: { edges: { node: Member }[] } }>(
      '{ findProfiles(namePrefix: "Sailor", first: 30) { edges { node { id } } } }',
    );
    await ann.circle('Fleet', [...findProfiles.edges.map(({ node }) => node), ben]);
    const page = await dashboard.openSignedIn('/social/circles', ann);
    const fleet = page.getByRole('region', { name: 'Circle Fleet' });
    await fleet.getByRole('button', { name: 'List the people in Fleet' }).click();
    const members = page.getByRole('list', { name: 'People in Fleet' }).getByRole('link');
    await eventually(() => members.count()).toBe(PAGE);
    await page.getByRole('button', { name: 'Show more' }).click();
    await eventually(() => members.count()).toBe(31);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove Sailor 10' }).click();
    await eventually(() => members.count()).toBe(30);
  });

  it('are told by how many of them a new post has been received', async () => {
    const page = await dashboard.openSignedIn('/social', ann);
    await page.getByLabel('What is new?').fill('To the fleet');
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await page.getByRole('article').filter({ hasText: 'To the fleet' }).getByText('delivered to 30').waitFor();
  });

  it('are blocked and unblocked on their walls', async () => {
    const page = await dashboard.openSignedIn(`/social/wall/${ben.id}`, ann);
    await page.getByRole('button', { name: 'Block Ben' }).click();
    await page.getByText('what Ben wrote on your wall stays there until you delete it in Incoming').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
    await page.getByText('You have blocked Ben').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Unblock Ben' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unblock' }).click();
    await page.getByRole('region', { name: 'Profile of Ben' }).waitFor();
  });

  it('disappear at once from an open wall when they block its reader', async () => {
    await ben.post({ text: 'Before the block', audience: 'PUBLIC' });
    const page = await dashboard.openSignedIn(`/social/wall/${ben.id}`, ann);
    await page.getByText('Before the block').waitFor();
    await ben.ask('mutation ($id: ID!) { blockPerson(userId: $id) { __typename } }', { id: ann.id });
    await page.getByText('Nobody is here').waitFor();
    expect(await page.getByText('Before the block').count()).toBe(0);
    await ben.ask('mutation ($id: ID!) { unblockPerson(userId: $id) { __typename } }', { id: ann.id });
  });

  it('are led to a post by the address of a comment on it', async () => {
    const { id } = await ben.post({ text: 'Who is aboard?', audience: 'PUBLIC' });
    const { postComment } = await ann.ask<{ postComment: { url: string } }>(
      'mutation ($id: ID!) { postComment(nodeId: $id, text: "I am") { ... on Comment { url } } }',
      { id },
    );
    const { pathname, hash } = new URL(postComment.url);
    const page = await dashboard.openSignedIn(`${pathname}${hash}`, ann);
    const post = page.getByRole('article', { name: 'Post by Ben' });
    await post.getByText('Who is aboard?').waitFor();
    await post.getByText('I am', { exact: true }).waitFor();
  });

  it('have their news rebuilt by an administrator', async () => {
    const page = await dashboard.openSignedIn('/social/maintenance');
    await page.getByLabel('Person').fill('Ann');
    await page.getByRole('option', { name: 'Ann' }).click();
    await page.getByRole('button', { name: 'Rebuild the news of Ann' }).click();
    await page.getByText('The news were right: nothing has changed.').waitFor();
  });
});
