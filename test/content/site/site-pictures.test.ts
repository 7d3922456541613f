/** Pictures and videos on the public site. */
import { expect, it } from 'vitest';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { upload } from '../../system/assets/asset-client.js';
import { makePicture } from '../../system/assets/picture-support.js';
import { add, addBlog, addPost, edit, NOW, requireStored } from '../nodes/node-support.js';

const database = useDatabase();
const server = useServer(database);

const open = async (path: string) => {
  const answer = await fetch(server.url + path);
  return { status: answer.status, policy: answer.headers.get('content-security-policy'), text: await answer.text() };
};

it('shows the pictures of a published text at several widths, to everybody', async () => {
  const { db } = database;
  const blog = requireStored(await edit(db, await addBlog(db), { publishedAt: NOW }));
  const jpeg = await makePicture('image/jpeg', { width: 700, height: 500 });
  const { data } = await upload(server, server.token, jpeg);
  const id = data?.uploadPicture.id;
  await addPost(db, blog, 'Pictures', { slug: 'pictures', text: `Look:\n\n![A ridge](asset:${id})` });
  const { text } = await open('/blog/pictures');
  const [, image = ''] = /<img ([^>]*)>/.exec(text) ?? [];
  expect(image).toContain('alt="A ridge"');
  expect(image).toContain('width="700" height="500"');
  const addresses = [...image.matchAll(/(\/assets\/[\w-]+(?:\/\d+)?) (\d+)w/g)];
  expect(addresses.map(([, , width]) => width)).toEqual(['320', '640', '700']);
  for (const [, address = ''] of addresses) expect((await open(address)).status).toBe(200);
  const feed = await open('/blog/rss.xml');
  expect(feed.text).toMatch(new RegExp(`<img src="${server.url}/assets/[\\w-]+" alt="A ridge"`));
});

it('lets a page open the player of its video, and no other', async () => {
  const { db } = database;
  const blog = await add(db, { type: 'BLOG', title: 'Videos', slug: 'videos', publishedAt: NOW });
  const video = { type: 'VIDEO', parentId: blog._id, publishedAt: NOW } as const;
  await add(db, { ...video, title: 'Known', slug: 'known', videoUrl: 'https://vimeo.com/76979871' });
  const known = await open('/blog/~/videos/known');
  expect(known.policy).toContain('frame-src https://player.vimeo.com;');
  expect(known.text).toContain('data-embed="https://player.vimeo.com/video/76979871?dnt=1"');
});
