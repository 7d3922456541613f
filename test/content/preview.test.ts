import { Readable } from 'node:stream';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { toGlobalId } from '../../src/shared/global-id.js';
import { useDatabase } from '../support/database.js';
import { addPerson, beginTestSession } from '../support/people.js';
import { useServer } from '../support/server.js';
import { makePicture, store } from '../system/assets/picture-support.js';
import { addBlog, addPost } from './nodes/node-support.js';

const database = useDatabase();
const server = useServer(database);
let editor: string;

beforeAll(async () => {
  const id = await addPerson(database.db, 'editor', ['EDITOR']);
  editor = (await beginTestSession(database.db, server.services.config, id)).token;
});

const preview = (text: string, token: string | null = editor) =>
  server.request<{ previewMarkdown: string }>(
    'query ($text: String!) { previewMarkdown(text: $text) }',
    { text },
    token,
  );

describe('the preview of a text', () => {
  it('is its HTML, without anything that could run and without pictures that do not exist', async () => {
    const text = 'A **bold** word.\n\n<script>alert(1)</script> [this](javascript:alert(1)) ![gone](asset:nothing)';
    const { data } = await preview(text);
    expect(data?.previewMarkdown).toContain('<p>A <strong>bold</strong> word.</p>');
    expect(data?.previewMarkdown).not.toMatch(/<script|href="javascript|<img/);
  });

  it('shows pictures under an address that the editor may open', async () => {
    const bytes = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#336699' } })
      .png()
      .toBuffer();
    const { assets } = server.services;
    const stored = await assets.store(database.db, {
      name: 'blue.png',
      bytes: Readable.from([bytes]),
      ownerId: 'editor',
      keepLocation: false,
    });
    const id = '_id' in stored ? toGlobalId('Asset', stored._id) : '';
    const { data } = await preview(`![Blue](asset:${id})`);
    expect(data?.previewMarkdown).toMatch(
      /<img src="\/assets\/[^"]+signature=[^"]+" alt="Blue" width="30" height="20" loading="lazy" ?\/?>/,
    );
  });

  it('shows a picture at the same widths as the public site', async () => {
    const { assets } = server.services;
    const bytes = await makePicture('image/jpeg', { width: 700, height: 500 });
    const asset = await store(assets, database.db, bytes);
    const text = `![A ridge](asset:${toGlobalId('Asset', asset._id)}) [there](https://example.org)`;
    const before = (await preview(text)).data?.previewMarkdown ?? '';
    const blog = await addBlog(database.db);
    await addPost(database.db, blog, 'A post', { slug: 'post', text, publishedAt: new Date() });
    const page = await (await fetch(`${server.url}/blog/post`)).text();
    const [shown = ''] = /<p><img.*?<\/p>/s.exec(page) ?? [];
    expect(shown).toContain(`/assets/${asset._id}/640 640w`);
    expect(before).not.toBe(`${shown}\n`); // signed: it was no one's yet
    expect((await preview(text)).data?.previewMarkdown).toBe(`${shown}\n`);
  });

  it('is refused to visitors, and for a text that is too long', async () => {
    expect((await preview('Hello', null)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    expect((await preview('a'.repeat(200_001))).errors?.[0]?.extensions.code).toBe('LIMIT_EXCEEDED');
  });
});
