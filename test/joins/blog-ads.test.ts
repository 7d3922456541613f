/** The zones for ads on the pages of blogs. */
import { beforeAll, describe, expect, it } from 'vitest';
import { registerSite } from '../../src/models/analytics/sites/site.js';
import { useDatabase } from '../support/database.js';
import { testAct } from '../support/people.js';
import { useServer } from '../support/server.js';

const database = useDatabase();
const server = useServer(database);
const blogs: string[] = [];

beforeAll(async () => {
  await registerSite(database.db, testAct(), { host: 'blog.example', allowedOrigins: [] });
  for (const title of ['With ads', 'Without ads']) {
    const { data } = await server.request<{ createNode: { id: string } }>(
      'mutation ($title: String!) { createNode(input: { type: BLOG, title: $title }) { ... on Blog { id } } }',
      { title },
    );
    blogs.push(data?.createNode.id ?? '');
  }
});

const save = (zone: string, blogId?: string | null) =>
  server.request('mutation ($input: ZoneInput!) { saveZone(input: $input) { __typename } }', {
    input: { site: 'blog.example', zone, size: '1x1', ...(blogId !== undefined && { blogId }) },
  });
const ZONES =
  '{ one: nodeByPath(path: "/with-ads") { ... on Blog { adZone } } other: nodeByPath(path: "/without-ads") { ... on Blog { adZone } } }';
const zones = async () => (await server.request(ZONES)).data;

describe('a blog', () => {
  it('names its zone until that is for another blog or none', async () => {
    await save('top', blogs[0]);
    await save('side');
    expect(await zones()).toEqual({ one: { adZone: 'top' }, other: { adZone: null } });
    await save('top');
    expect(await zones()).toEqual({ one: { adZone: 'top' }, other: { adZone: null } });
    await save('top', blogs[1]);
    expect(await zones()).toEqual({ one: { adZone: null }, other: { adZone: 'top' } });
    await save('top', null);
    expect(await zones()).toEqual({ one: { adZone: null }, other: { adZone: null } });
  });

  it('is named by its zone', async () => {
    await save('top', blogs[1]);
    const { data } = await server.request('{ zones(site: "blog.example") { zone blogId } }');
    expect(data).toEqual({
      zones: [
        { zone: 'side', blogId: null },
        { zone: 'top', blogId: blogs[1] },
      ],
    });
  });

  it('is named by its id', async () => {
    expect((await save('top', 'none')).errors?.[0]?.extensions).toMatchObject({ field: 'input.blogId' });
  });
});
