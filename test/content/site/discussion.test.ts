import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Comment, CommentDesign, CommentPolicy } from '../../../src/models/comments/discussion/comment.js';
import { commentIdOf, comments, slugOf } from '../../../src/models/comments/discussion/comment.js';
import { DiscussionWriter } from '../../../src/models/comments/discussion-write.js';
import { deleteComment, postComment } from '../../../src/models/comments/posting.js';
import type { NodeDocument } from '../../../src/models/content/nodes/node.js';
import { subjectOf } from '../../../src/models/content/nodes/node-comments.js';
import { users } from '../../../src/models/people/user.js';
import { useDatabase } from '../../support/database.js';
import { addSignedIn, type SignedIn } from '../../support/people.js';
import { useServer } from '../../support/server.js';
import { addBlog, addPost, edit, NOW, requireStored } from '../nodes/node-support.js';

const database = useDatabase();
const server = useServer(database);
const writer = new DiscussionWriter();

let blog: NodeDocument;
let ann: SignedIn;
beforeAll(async () => {
  blog = requireStored(await edit(database.db, await addBlog(database.db), { publishedAt: NOW }));
  ann = await addSignedIn(database.db, server.services.config, 'Ann', 'MEMBER');
});

interface Post {
  readonly node: NodeDocument;
  readonly path: string;
}

async function addCommentable(policy: CommentPolicy, design: CommentDesign = 'ONE_EACH'): Promise<Post> {
  const slug = `post-${randomUUID().slice(0, 8)}`;
  const node = await addPost(database.db, blog, 'A post', { slug, commentPolicy: policy, commentDesign: design });
  return { node, path: `/blog/${slug}` };
}

async function say({ node }: Post, text: string, replyTo?: Comment, isMember = true): Promise<Comment> {
  const author = isMember ? { _id: ann.reference._id, name: '' } : { name: 'Vera' };
  const post = { author, isMember, text, now: NOW, replyTo: replyTo ? idOf(replyTo) : null };
  return requireStored(await postComment(database.db, writer, subjectOf(node), post));
}
const idOf = ({ discussion, number }: Comment) => commentIdOf(discussion, number);

const read = (path: string, headers: Record<string, string> = {}) => fetch(server.url + path, { headers });
const pageAt = async (path: string) => (await read(path)).text();
const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' });
const signedIn = () => ({ cookie: `sextant_access=${ann.token}` });
const countOf = (text: string) => comments(database.db).countDocuments({ text });

/** The texts of the comments on a page, each with the number of lists that it is in. */
function commentsOn(page: string): string[] {
  let depth = 0;
  const parts = page.matchAll(
    /<(\/?)ol(?: class="comments")?>|<div class="comment-text" dir="auto"><p>(.*?)<\/p>|"comment-note">([^<]*)</g,
  );
  return [...parts].flatMap(([part, end, text, note]) => {
    if (part.includes('ol')) depth += end === '/' ? -1 : 1;
    return text === undefined && note === undefined ? [] : [`${depth} ${text ?? note}`];
  });
}

describe('a discussion on the site', () => {
  it.each(['ONE_EACH', 'EMBEDDED', 'HYBRID'] as const)('is read in threads, without script: %s', async (design) => {
    const post = await addCommentable('MEMBERS', design);
    const one = await say(post, 'one');
    const two = await say(post, 'two');
    const first = await say(post, 'below one', one);
    await say(post, 'below that', first);
    await say(post, 'below two', two);
    const page = await pageAt(post.path);
    expect(commentsOn(page).slice(0, 5)).toEqual(['1 one', '2 below one', '3 below that', '1 two', '2 below two']);
    expect(page).toContain('5 comments');
    expect(page).toContain('<summary>1 reply</summary>');
    expect(page).toContain('<bdi class="comment-author">Ann</bdi>');
  });

  it('shows the place of a comment that was deleted or hidden, and not its text', async () => {
    const post = await addCommentable('NOBODY');
    const [deleted, hidden] = [await say(post, 'DELETED'), await say(post, 'HIDDEN')];
    await say(post, 'still here', deleted);
    await say(post, 'here too', hidden);
    const changer = { accountId: ann.reference._id, isModerator: false };
    await deleteComment(database.db, writer, subjectOf(post.node), { number: deleted.number, changer });
    const state = { text: hidden.text, state: 'HIDDEN', shown: true } as const;
    await comments(database.db).updateOne({ _id: idOf(hidden) }, { $set: state });
    const page = await pageAt(post.path);
    expect(commentsOn(page)).toEqual([
      '1 This comment was deleted.',
      '2 still here',
      '1 A moderator has hidden this comment.',
      '2 here too',
    ]);
    expect(page).not.toMatch(/DELETED|HIDDEN/);
    expect(page).toContain('The discussion is closed.');
    expect(page).not.toContain('<form');
  });

  it('is absent where nobody has commented and nobody may', async () => {
    expect(await pageAt((await addCommentable('NOBODY')).path)).not.toContain('id="discussion"');
    expect(await pageAt((await addCommentable('MEMBERS')).path)).toContain('No comments yet');
  });

  it('shows neither code nor markup of a comment', async () => {
    const post = await addCommentable('MEMBERS');
    await say(post, '<script>alert(1)</script> [x](javascript:alert(1)) **bold**');
    const page = await pageAt(post.path);
    expect(page).not.toContain('<script>alert');
    expect(page).not.toContain('"javascript:');
    expect(page).toContain('<strong>bold</strong>');
  });

  it('goes on on the next page, and a link to a comment leads to the page that has it', async () => {
    const post = await addCommentable('MEMBERS');
    const all: Comment[] = [];
    for (let at = 0; at < 101; at += 1) all.push(await say(post, `number ${at}`));
    const [last] = all.slice(-1);
    const reply = await say(post, 'the reply', last);
    const page = await pageAt(post.path);
    expect(page).toContain('number 99');
    expect(page).not.toContain('number 100');
    const [, more = ''] = /href="([^"]*)#discussion" rel="next/.exec(page) ?? [];
    expect(commentsOn(await pageAt(more)).slice(0, 2)).toEqual(['1 number 100', '2 the reply']);
    const linked = await pageAt(`${post.path}?comment=${slugOf(reply.path)}`);
    expect(commentsOn(linked)[0]).toBe('1 the reply');
    expect(linked).toContain('Show the discussion from its beginning');
    expect(commentsOn(await pageAt(`${post.path}?comment=zz`))[0]).toBe('1 number 0');
    expect((await read(`${post.path}?after=damaged`)).status).toBe(404);
  });

  it('changes the ETag of its page, also when its author gets another name', async () => {
    const post = await addCommentable('MEMBERS');
    const tagOf = async () => (await read(post.path)).headers.get('etag');
    const empty = await tagOf();
    await say(post, 'new');
    await expect.poll(tagOf, { timeout: 10_000 }).not.toBe(empty);
    const named = await tagOf();
    await users(database.db).updateOne({ _id: ann.reference._id }, { $set: { name: 'Anna' } });
    await expect.poll(tagOf, { timeout: 10_000 }).not.toBe(named);
    await users(database.db).updateOne({ _id: ann.reference._id }, { $set: { name: 'Ann' } });
  });
});

describe('a form of the site', () => {
  it('posts the comment of a member, and leads to it', async () => {
    const post = await addCommentable('MEMBERS');
    await pageAt(post.path); // rendered before, so that a kept page would be noticed
    const answer = await send(post.path, { text: 'By a\r\nmember' }, signedIn());
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`${post.path}?comment=1#comment-1`);
    const page = await pageAt(`${post.path}?comment=1`);
    expect(page).toContain('id="comment-1"');
    expect(page).toContain('By a\nmember');
    expect(page).toContain('<bdi class="comment-author">Ann</bdi>');
  });

  it('replies in place', async () => {
    const post = await addCommentable('MEMBERS');
    const one = await say(post, 'one');
    expect(await pageAt(post.path)).toContain(`<input type="hidden" name="replyTo" value="${slugOf(one.path)}">`);
    const answer = await send(post.path, { text: 'two', replyTo: slugOf(one.path) }, signedIn());
    expect(answer.headers.get('location')).toBe(`${post.path}?comment=1/2#comment-2`);
    expect(commentsOn(await pageAt(`${post.path}?comment=1/2`)).slice(0, 2)).toEqual(['1 one', '2 two']);
  });

  it('that is sent twice posts once', async () => {
    const post = await addCommentable('MEMBERS');
    const text = randomUUID();
    const places = await Promise.all(
      [1, 2, 3].map(async () => (await send(post.path, { text }, signedIn())).headers.get('location')),
    );
    expect(new Set(places)).toEqual(new Set([`${post.path}?comment=1#comment-1`]));
    expect(await countOf(text)).toBe(1);
  });

  it('lets a visitor comment where everybody may, and says that a moderator reads it first', async () => {
    const post = await addCommentable('EVERYBODY');
    const answer = await send(post.path, { text: 'By a visitor', name: 'Vera' });
    expect(answer.status).toBe(303);
    const page = await pageAt(answer.headers.get('location')?.replace(/#.*/, '') ?? '');
    expect(page).toContain('as soon as a moderator has published it');
    expect(page).not.toContain('By a visitor');
    const kept = await send(post.path, { text: 'Kept "<text>"', name: '' });
    expect(kept.status).toBe(400);
    const again = await kept.text();
    expect(again).toContain('Please give your name, or sign in.');
    expect(again).toContain('Kept &quot;&lt;text&gt;&quot;</textarea>');
  });

  it('keeps the text of what it does not post, beside the reason', async () => {
    const [members, closed] = [await addCommentable('MEMBERS'), await addCommentable('NOBODY')];
    const one = await say(members, 'one');
    const refused = await send(members.path, { text: 'Kept', replyTo: slugOf(one.path) });
    expect(refused.status).toBe(403);
    const text = await refused.text();
    expect(text).toContain('Only members can comment here: sign in first.');
    expect(text).toMatch(/<details open><summary[^>]*>Reply<\/summary><form[^>]*>\s*<p role="alert">/);
    expect(text).toContain('Kept</textarea>');
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect((await send(closed.path, { text: 'Closed' }, signedIn())).status).toBe(403);
    const long = await send(members.path, { text: 'x'.repeat(10_001) }, signedIn());
    expect(long.status).toBe(400);
    expect(await long.text()).toContain('The text ');
    const gone = await send(members.path, { text: 'To nothing', replyTo: 'zz' }, signedIn());
    expect(gone.status).toBe(409);
    expect(await gone.text()).toContain('The comment that you reply to is no longer there.');
  });

  it('is not accepted from pages of other sites', async () => {
    const post = await addCommentable('MEMBERS');
    const fields = { text: 'From elsewhere' };
    for (const foreign of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ])
      expect((await send(post.path, fields, { ...signedIn(), ...foreign } as Record<string, string>)).status).toBe(403);
    expect(await countOf('From elsewhere')).toBe(0);
    // A browser whose page sends no referrer says that its origin is unknown, and where the form was.
    const own = { ...signedIn(), origin: 'null', 'sec-fetch-site': 'same-origin' };
    expect((await send(post.path, { text: 'From here' }, own)).status).toBe(303);
  });

  it('is throttled by address', async () => {
    const post = await addCommentable('EVERYBODY');
    const statuses: number[] = [];
    for (let at = 0; at < 12; at += 1)
      statuses.push((await send(post.path, { text: `Comment ${at}`, name: 'Vera' })).status);
    expect(statuses.at(-1)).toBe(429);
    const answer = await send(post.path, { text: 'One more', name: 'Vera' });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await answer.text()).toContain('One more</textarea>');
  });
});
