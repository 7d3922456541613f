/** Editing under a nonce: of two editors who loaded the same version, one wins, and the other gets the differences. */
import { describe, expect, it } from 'vitest';
import { findNode, nodes } from '../../../src/models/content/nodes/node.js';
import type { EditConflict } from '../../../src/models/content/nodes/node-change.js';
import { requireNewNode } from '../../../src/models/content/nodes/node-creation.js';
import { mergeLines } from '../../../src/models/content/nodes/node-difference.js';
import { editNode } from '../../../src/models/content/nodes/node-edit.js';
import { versions } from '../../../src/models/content/nodes/node-version.js';
import { addTags } from '../../../src/models/content/tags/node-tags.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { slowDatabase } from '../../commerce/orders/interruptions.js';
import { useDatabase } from '../../support/database.js';
import { makePicture, openAssets, store } from '../../system/assets/picture-support.js';
import { add, ben, edit, later, requireStored, violations, write } from './node-support.js';

const database = useDatabase();
const stored = (id: string) => findNode(database.db, id);
let count = 0;
/** A page with a slug of its own. */
const aPage = (text = 'One\nTwo\nThree') => {
  count += 1;
  return add(database.db, { slug: `page-${count}`, text });
};

describe('an edit', () => {
  it('stores a new version with a new nonce', async () => {
    const before = await aPage();
    const call = write({ author: ben, at: later(5) });
    const changes = { title: 'Another title', excerpt: 'Short', publishedAt: later(9) };
    const after = requireStored(await edit(database.db, before, changes, call));
    expect(after).toMatchObject({ title: 'Another title', excerpt: 'Short', version: 2, nonce: call.call });
    expect(after).toMatchObject({ edited: later(5), state: 'SCHEDULED', detail: before.detail, author: before.author });
    expect(await stored(before._id)).toEqual(after);
    const found = await versions(database.db).find({ '_id.node': before._id }).sort({ version: 1 }).toArray();
    expect(found.map(({ version, title, author }) => [version, title, author.name])).toEqual([
      [1, 'A page', 'Ann'],
      [2, 'Another title', 'Ben'],
    ]);
  });

  it('that changes nothing stores no version', async () => {
    const before = await aPage();
    expect(await edit(database.db, before, { text: 'One\nTwo\nThree', title: ' A page ' })).toEqual(before);
    expect(await stored(before._id)).toEqual(before);
  });

  it('that is repeated after a lost answer does not conflict with itself, even when others have edited since', async () => {
    const before = await aPage();
    const call = write();
    const mine = requireStored(await edit(database.db, before, { title: 'Mine' }, call));
    expect(await edit(database.db, before, { title: 'Mine' }, call)).toEqual(mine);
    const theirs = requireStored(await edit(database.db, mine, { title: 'Theirs' }));
    expect(await edit(database.db, before, { title: 'Mine' }, call)).toEqual(theirs);
  });

  it.each([
    ['a null title', 'changes.title', { title: null }],
    ['an empty title', 'changes.title', { title: '' }],
    ['a hidden character in the title', 'changes.title', { title: 'a\u200bb' }],
    ['a hidden character in the excerpt', 'changes.excerpt', { excerpt: 'a\u202eb' }],
    ['a field of another kind', 'changes.source', { source: 'Somebody' }],
  ])('does not accept %s, and changes nothing', async (_case, field, changes) => {
    const before = await aPage();
    await expect(edit(database.db, before, changes)).rejects.toMatchObject({ details: { field } });
    expect(await stored(before._id)).toEqual(before);
  });

  it('needs a nonce of a version of the node', async () => {
    const { _id: id } = await aPage();
    const other = await aPage();
    const editing = editNode(database.db, write(), { id, nonce: other.nonce, changes: { title: 'x' } });
    await expect(editing).rejects.toMatchObject({ details: { field: 'nonce' } });
  });

  it('starts again if its transaction does not see the version that was loaded yet', async () => {
    const before = await aPage();
    const call = write();
    const slow = slowDatabase(
      database.db,
      'cms.versions',
      () => edit(database.db, before, { title: 'Loaded' }, call),
      'findOne',
    );
    const loaded = { _id: before._id, nonce: call.call };
    expect(requireStored(await edit(slow, loaded, { excerpt: 'x' }))).toMatchObject({ title: 'Loaded', excerpt: 'x' });
  });

  it('of a node that is not there is refused', async () => {
    expect(await edit(database.db, { _id: 'nobody', nonce: '-' }, {})).toMatchObject({ __typename: 'NodeNotFound' });
  });
});

describe('an edit of a version that is not the current one', () => {
  it('is a conflict with both changes merged where they touch different lines and fields, and changes nothing', async () => {
    const base = await aPage();
    const theirs = requireStored(await edit(database.db, base, { text: 'One, theirs\nTwo\nThree', excerpt: 'Theirs' }));
    const outcome = await edit(database.db, base, { text: 'One\nTwo\nThree, mine', title: 'My title' });
    expect(outcome).toEqual({
      __typename: 'EditConflict',
      message: 'Somebody else has changed the node since it was loaded',
      theirs,
      differences: [
        { field: 'title', base: 'A page', yours: 'My title', theirs: 'A page', merged: 'My title' },
        { field: 'excerpt', base: null, yours: null, theirs: 'Theirs', merged: 'Theirs' },
        {
          field: 'text',
          base: 'One\nTwo\nThree',
          yours: 'One\nTwo\nThree, mine',
          theirs: 'One, theirs\nTwo\nThree',
          merged: 'One, theirs\nTwo\nThree, mine',
        },
      ],
    });
    expect(await stored(base._id)).toEqual(theirs);
  });

  it('merges nothing where both changed the same lines, or the same field of one piece', async () => {
    const base = await aPage();
    requireStored(await edit(database.db, base, { text: 'One\n2\nThree', title: 'Theirs' }));
    const outcome = (await edit(database.db, base, { text: 'One\ntwo\nThree', title: 'Mine' })) as EditConflict;
    expect(outcome.differences.map(({ field, merged }) => [field, merged])).toEqual([
      ['title', null],
      ['text', null],
    ]);
  });

  it('is no conflict if somebody else has made the same change', async () => {
    const base = await aPage();
    const theirs = requireStored(await edit(database.db, base, { title: 'The same' }));
    expect(await edit(database.db, base, { title: 'The same' })).toEqual(theirs);
  });

  it('succeeds with the merged text and the nonce of the stored version', async () => {
    const base = await aPage();
    requireStored(await edit(database.db, base, { text: '1\nTwo\nThree' }));
    const { theirs, differences } = (await edit(database.db, base, { text: 'One\nTwo\n3' })) as EditConflict;
    const merged = requireStored(await edit(database.db, theirs, { text: differences[0]?.merged }));
    expect(merged).toMatchObject({ version: 3, detail: { text: '1\nTwo\n3' } });
  });
});

describe('the merge of lines', () => {
  it.each([
    ['a\nb\nc', 'a\nb\nc', 'a\nb\nc', 'a\nb\nc'],
    ['a\nb\nc', 'x\nb\nc', 'a\nb\ny', 'x\nb\ny'],
    ['a\nb\nc', 'a\nx\nc', 'a\nx\nc', 'a\nx\nc'], // both made the same change
    ['a\nb\nc', 'b\nc', 'a\nb\nc\nd', 'b\nc\nd'],
    ['a\nb\nc', 'a\nx\nc', 'a\ny\nc', null],
    ['', 'a', 'b', null],
    ['a\nb', 'a\nb\n', 'z\nb', 'z\nb\n'],
    ['a\nb', 'a\nx', 'z\nb', null], // the lines are neighbors
  ])('of %j, %j and %j is %j', (base, yours, theirs, merged) => {
    expect(mergeLines(base, yours, theirs)).toBe(merged);
  });
});

describe('what follows from a text', () => {
  const picture = async (seed: number) => {
    const assets = await openAssets(database.db);
    const { _id } = await store(assets, database.db, await makePicture('image/png', { width: 20, height: 10 }, seed));
    return { mark: `![](asset:${toGlobalId('Asset', _id)})` };
  };

  it('is the same after any changes as if the node was created so', async () => {
    const [one, two] = [await picture(1), await picture(2)];
    let node = await add(database.db, { slug: 'followed', text: `One ${one.mark}` });
    const texts = ['', 'Two words', `Three words ${two.mark}`, `${one.mark} ${two.mark} ${one.mark}`];
    for (const excerpt of ['', 'An excerpt', 'Another', ''])
      for (const text of texts) {
        for (const changes of [{ excerpt }, { text }, { title: `A title ${text.length}` }])
          node = requireStored(await edit(database.db, node, changes));
        const { type, title, tags } = node;
        const { summary, words, asset_ids } = requireNewNode({ type, title, excerpt, text, tags }, write());
        expect(node).toMatchObject({ form: 2, summary, words, asset_ids });
        expect(await stored(node._id)).toEqual(node);
      }
  });

  it('is not read again while the text stays', async () => {
    const { _id } = await add(database.db, { slug: 'unread', text: 'Three words more' });
    await nodes(database.db).updateOne({ _id }, { $set: { words: 999 } }); // as no text has them
    const tagged = await addTags(database.db, _id, ['a'], write({ at: later(1) }));
    const renamed = requireStored(await edit(database.db, tagged, { title: 'Another title', excerpt: 'Short' }));
    expect(renamed).toMatchObject({ words: 999, summary: 'Short' });
    const read = requireStored(await edit(database.db, renamed, { excerpt: '' }));
    expect(read).toMatchObject({ words: 3, summary: 'Three words more' });
  });
});

it('lets one of 20 editors win who edit at once, and gives the others a conflict', async () => {
  const base = await aPage();
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, n) => edit(database.db, base, { title: `Editor ${n}` })),
  );
  const lost = outcomes.filter((outcome) => '__typename' in outcome) as { __typename: string }[];
  expect(lost.map(({ __typename }) => __typename)).toEqual(Array(19).fill('EditConflict'));
  const winner = outcomes.find((outcome) => !('__typename' in outcome));
  expect(await stored(base._id)).toEqual(winner);
  expect(await violations(database.db)).toEqual([]);
});
