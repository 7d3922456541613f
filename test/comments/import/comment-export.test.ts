/** Exports of comments: what they write, and what an import makes of it. */
import { describe, expect, it } from 'vitest';
import { commentIdOf } from '../../../src/models/comments/discussion/comment.js';
import { discussionOf } from '../../../src/models/comments/discussion/discussion.js';
import { DiscussionWriter } from '../../../src/models/comments/discussion-write.js';
import { CommentReader, type ReaderPosition } from '../../../src/models/comments/export/comment-reader.js';
import { postComment } from '../../../src/models/comments/posting.js';
import { nodeHost } from '../../../src/models/content/comment-host.js';
import type { NodeDocument } from '../../../src/models/content/nodes/node.js';
import { discussionOfNode, subjectOf } from '../../../src/models/content/nodes/node-comments.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { aProduct, save } from '../../commerce/catalog/catalog-support.js';
import { lines } from '../../content/import/import-support.js';
import { add, addPost } from '../../content/nodes/node-support.js';
import { useDatabase } from '../../support/database.js';
import { addPerson } from '../../support/people.js';
import { useCommentImports } from './comment-import-support.js';

const database = useDatabase();
const { importAll, exportAll } = useCommentImports(database);
const writer = new DiscussionWriter();
const at = (minute: number): string => new Date(Date.UTC(2020, 0, 1, 0, minute)).toISOString();

const write = (node: NodeDocument, author: string, text: string, minute: number, replyTo: string | null = null) =>
  postComment(database.db, writer, subjectOf(node), {
    author: { _id: author, name: '' },
    isMember: true,
    text,
    replyTo,
    now: new Date(at(minute)),
  });

describe('an export of comments', () => {
  it('has what people have written here, which an import finds to be here already', async () => {
    const blog = await add(database.db, { type: 'BLOG', title: 'Own', slug: 'own' });
    const post = await addPost(database.db, blog, 'Post', { slug: 'post' });
    const ann = await addPerson(database.db, 'ann', ['MEMBER']);
    await write(post, ann._id, 'First', 1);
    await write(post, ann._id, 'Second', 2, commentIdOf(discussionOfNode(post._id), 1));
    const file = await exportAll(discussionOfNode(blog._id));
    const id = (number: number) => toGlobalId('Comment', commentIdOf(discussionOfNode(post._id), number));
    const author = { author: 'ann', authorId: toGlobalId('User', ann._id) };
    expect(file).toBe(
      lines([
        { on: 'post', id: id(1), ...author, postedAt: at(1), text: 'First' },
        { on: 'post', id: id(2), replyTo: id(1), ...author, postedAt: at(2), text: 'Second' },
      ]),
    );
    const again = await importAll(file, { below: discussionOfNode(blog._id) });
    expect(again).toMatchObject({ imported: 0, skipped: 2, rejected: 0 });
  });

  it('continues after any line', async () => {
    const blog = await add(database.db, { type: 'BLOG', title: 'All', slug: 'all' });
    const own = discussionOfNode(blog._id);
    const posts = [blog];
    for (const slug of ['one', 'two', 'without', 'three']) posts.push(await addPost(database.db, blog, slug, { slug }));
    for (const [place, post] of posts.entries())
      for (let n = 0; post.slug !== 'without' && n < 3; n += 1) await write(post, 'ben', `${place}.${n}`, n + 1);
    const whole = await exportAll(own);
    const begun = new CommentReader(database.db, [nodeHost], own, null);
    let written = '';
    for await (const { line } of begun.lines()) {
      written += line;
      const from = structuredClone(begun.position) as ReaderPosition;
      let rest = '';
      for await (const next of new CommentReader(database.db, [nodeHost], own, from).lines()) rest += next.line;
      expect(written + rest).toBe(whole);
    }
    expect(
      whole
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).text),
    ).toEqual([0, 1, 4, 2].flatMap((place) => [0, 1, 2].map((n) => `${place}.${n}`)));
  });

  it('of products has their ids, by which an import finds them', async () => {
    for (let n = 0; n < 60; n += 1) await save(database.db, aProduct(`P${n}`));
    const [one, other] = [toGlobalId('Product', 'P1'), toGlobalId('Product', 'P59')];
    const rows = [
      { on: one, id: 'a', author: 'Cleo', postedAt: at(1), text: 'Fine' },
      { on: other, id: 'b', author: 'Dan', postedAt: at(2), text: 'Broken' },
    ];
    expect(await importAll(lines(rows))).toMatchObject({ imported: 2, rejected: 0 });
    expect(await exportAll(null)).toContain(lines(rows));
    expect(await exportAll(discussionOf('Product', 'P59'))).toBe(lines([{ ...rows[1], on: undefined }]));
  });
});
