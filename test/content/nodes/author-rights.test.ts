/** Authors: they write posts and photos of their own, and see besides what is public only what they need for that. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { NodeDocument } from '../../../src/models/content/nodes/node.js';
import { findNode } from '../../../src/models/content/nodes/node.js';
import { deleteNode } from '../../../src/models/content/nodes/node-trash.js';
import { revokeRole } from '../../../src/models/people/role.js';
import { accessRuleOf } from '../../../src/server/operations/access-rule.js';
import { makeSchema } from '../../../src/server/operations/schema.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { addSignedIn, beginTestSession, type SignedIn, testAct } from '../../support/people.js';
import { useServer } from '../../support/server.js';
import { add, addPost, NOW, write } from './node-support.js';

const database = useDatabase();
const server = useServer(database);

let ada: SignedIn;
let bob: SignedIn;
let editor: SignedIn;
let blog: NodeDocument;
let gallery: NodeDocument;

const signedIn = (name: string, role: 'AUTHOR' | 'EDITOR') =>
  addSignedIn(database.db, server.services.config, name, role);

beforeAll(async () => {
  ada = await signedIn('ada', 'AUTHOR');
  bob = await signedIn('bob', 'AUTHOR');
  editor = await signedIn('editor', 'EDITOR');
  const given = { author: editor.reference };
  blog = await add(database.db, { type: 'BLOG', title: 'Blog', slug: 'blog' }, given); // a draft
  gallery = await add(database.db, { type: 'GALLERY', title: 'Gallery', slug: 'gallery' }, given);
});

const idOf = ({ _id }: Pick<NodeDocument, '_id'>) => toGlobalId('ContentNode', _id);
let posts = 0;
const postOf = (person: SignedIn, publishedAt: Date | null = null) => {
  posts += 1;
  return addPost(database.db, blog, `Post ${posts}`, { publishedAt }, { author: person.reference });
};

/** @returns `__typename` of the answer, or the code of the error */
async function outcomeOf(query: string, { token }: SignedIn): Promise<string | undefined> {
  const { data, errors } = await server.request<Record<string, { __typename: string } | null>>(query, {}, token);
  if (errors) return String(errors[0]?.extensions.code);
  return Object.values(data ?? {})[0]?.__typename ?? 'null';
}

/** Each write of an existing node. */
const writes: Readonly<Record<string, (node: NodeDocument) => string>> = {
  editNode: (node) => `(id: "${idOf(node)}", nonce: "${node.nonce}", changes: { title: "Changed" })`,
  moveNode: (node) => `(id: "${idOf(node)}", nonce: "${node.nonce}", slug: "moved-${posts}")`,
  deleteNode: (node) => `(id: "${idOf(node)}", nonce: "${node.nonce}")`,
  restoreNode: (node) => `(id: "${idOf(node)}")`,
  restoreVersion: (node) => `(id: "${idOf(node)}", version: 1, nonce: "${node.nonce}")`,
  addTags: (node) => `(id: "${idOf(node)}", tags: ["one"])`,
  removeTags: (node) => `(id: "${idOf(node)}", tags: ["one"])`,
};
/** Proven elsewhere: what makes nodes below, and what uploads a file in the photos' tests. */
const others = ['createNode', 'uploadPhoto', 'replacePhoto'];
const callOf = (name: string, node: NodeDocument) => `mutation { ${name}${writes[name]?.(node)} { __typename } }`;

describe('an author', () => {
  it('is known to each write that the schema opens to authors', () => {
    const fields = Object.values(makeSchema().getMutationType()?.getFields() ?? {});
    const open = fields.filter(({ astNode }) => {
      const rule = accessRuleOf(astNode, true);
      return rule?.kind === 'auth' && rule.role === 'AUTHOR';
    });
    expect(open.map(({ name }) => name).toSorted()).toEqual([...Object.keys(writes), ...others].toSorted());
  });

  it.each(Object.keys(writes))('calls %s for their own node, and an editor for any', async (name) => {
    const type = name === 'deleteNode' ? 'DeletedNode' : 'BlogPost';
    expect(await outcomeOf(callOf(name, await postOf(ada)), ada)).toBe(type);
    expect(await outcomeOf(callOf(name, await postOf(ada)), editor)).toBe(type);
  });

  it.each(Object.keys(writes))('is refused %s for the public node of another, which stays as it is', async (name) => {
    const post = await postOf(bob, NOW);
    expect(await outcomeOf(callOf(name, post), ada)).toBe('FORBIDDEN');
    expect(await findNode(database.db, post._id)).toEqual(post);
  });

  it.each(Object.keys(writes))('does not learn by %s that another has a draft', async (name) => {
    const post = await postOf(bob);
    const nothing = name.endsWith('Tags') ? 'NOT_FOUND' : 'NodeNotFound';
    expect(await outcomeOf(callOf(name, post), ada)).toBe(nothing);
    expect(await outcomeOf(callOf(name, { ...post, _id: 'nobody' }), ada)).toBe(nothing);
    expect(await findNode(database.db, post._id)).toEqual(post);
  });

  it('does not take the node of another out of the trash', async () => {
    const post = await postOf(bob, NOW);
    await deleteNode(database.db, write({ author: bob.reference }), testAct(), { id: post._id, nonce: post.nonce });
    expect(await outcomeOf(callOf('restoreNode', post), ada)).toBe('NodeNotFound');
    expect(await outcomeOf(callOf('restoreNode', post), bob)).toBe('BlogPost');
  });

  it('creates posts and photos, and no pages or groups', async () => {
    const create = (fields: string) =>
      outcomeOf(`mutation { createNode(input: { title: "New ${fields.length}", ${fields} }) { __typename } }`, ada);
    const below = `parentId: "${idOf(blog)}"`;
    expect(await create(`type: BLOG_POST, ${below}`)).toBe('BlogPost');
    expect(await create(`type: QUOTE, slug: "a-quote", ${below}`)).toBe('Quote');
    expect(await create(`type: PHOTO, parentId: "${idOf(gallery)}"`)).toBe('Photo');
    for (const type of ['PAGE', 'FOLDER', 'BLOG', 'GALLERY']) expect(await create(`type: ${type}`)).toBe('FORBIDDEN');
  });

  it('does not learn by a new parent that there is a hidden node, or of which type', async () => {
    const hidden = [
      await postOf(bob),
      await add(database.db, { type: 'PAGE', title: 'Draft', slug: 'draft' }, { author: editor.reference }),
      { _id: 'nobody' },
    ];
    const own = await postOf(ada);
    const refusal = '{ __typename ... on Refusal { message } }';
    const answers = hidden.flatMap((node) => {
      const parentId = `parentId: "${idOf(node)}"`;
      return [
        `mutation { outcome: createNode(input: { title: "New", type: BLOG_POST, ${parentId} }) ${refusal} }`,
        `mutation { outcome: moveNode(id: "${idOf(own)}", nonce: "${own.nonce}", ${parentId}) ${refusal} }`,
      ].map((query) => server.request(query, {}, ada.token));
    });
    for (const { data } of await Promise.all(answers))
      expect(data).toEqual({
        outcome: { __typename: 'ParentNotFound', message: 'There is no such parent, or it is in the trash' },
      });
    expect(await findNode(database.db, own._id)).toEqual(own);
  });

  it('loses the right to their drafts with the role', async () => {
    const former = await signedIn('former', 'AUTHOR');
    const post = await postOf(former);
    await revokeRole(database.db, testAct(), former.reference._id, 'AUTHOR');
    const { token } = await beginTestSession(database.db, server.services.config, former.reference);
    const member = { ...former, token };
    expect(await outcomeOf(`{ node(id: "${idOf(post)}") { __typename } }`, member)).toBe('null');
    expect(await outcomeOf(callOf('editNode', post), member)).toBe('FORBIDDEN');
  });
});

describe('what an author reads', () => {
  it('is their own photos of a gallery, also drafts, and not the list of all', async () => {
    const input = { type: 'PHOTO', parentId: gallery._id } as const;
    for (const { reference } of [ada, editor])
      await add(database.db, { ...input, title: `By ${reference.name}` }, { author: reference });
    const list = (name: string) =>
      `{ node(id: "${idOf(gallery)}") { __typename ... on Gallery { photos: ${name} { edges { node { title author { name } } } } } } }`;
    const { data } = await server.request<{
      node: { photos: { edges: { node: { title: string; author: { name: string } } }[] } };
    }>(list('ownPhotos'), {}, ada.token);
    const found = data?.node.photos.edges.map(({ node }) => node) ?? [];
    expect(found).toContainEqual({ title: 'By ada', author: { name: 'ada' } });
    expect(new Set(found.map(({ author }) => author.name))).toEqual(new Set(['ada']));
    expect(await outcomeOf(list('allPhotos'), ada)).toBe('FORBIDDEN');
  });

  const versions = (node: NodeDocument) =>
    `{ node(id: "${idOf(node)}") { __typename ... on BlogPost { versions { edges { cursor } } } } }`;

  it('is their own drafts with their versions, and of others what is public without them', async () => {
    expect(await outcomeOf(versions(await postOf(ada)), ada)).toBe('BlogPost');
    expect(await outcomeOf(versions(await postOf(bob)), ada)).toBe('null');
    const published = await postOf(bob, NOW);
    expect(await outcomeOf(`{ node(id: "${idOf(published)}") { __typename } }`, ada)).toBe('BlogPost');
    expect(await outcomeOf(versions(published), ada)).toBe('BlogPost');
  });

  it('is a list of posts with the versions of their own', async () => {
    const given = { author: editor.reference };
    const own = await add(database.db, { type: 'BLOG', title: 'Both', slug: 'both' }, given);
    for (const person of [ada, bob])
      await addPost(database.db, own, `By ${person.reference.name}`, {}, { author: person.reference });
    const { data, errors } = await server.request(
      `{ recentPosts(blogId: "${idOf(own)}", first: 2) {
        edges { node { title versions { edges { node { version } } } } }
      } }`,
      {},
      ada.token,
    );
    expect(errors).toBeUndefined();
    const edges = [
      { node: { title: 'By ada', versions: { edges: [{ node: { version: 1 } }] } } },
      { node: { title: 'By bob', versions: null } },
    ];
    expect(data).toEqual({ recentPosts: { edges: expect.arrayContaining(edges) } });
  });

  it('is the groups that posts and photos go into, also before they are public', async () => {
    expect(await outcomeOf(`{ node(id: "${idOf(blog)}") { __typename } }`, ada)).toBe('Blog');
    expect(await outcomeOf('{ nodeByPath(path: "/gallery") { __typename } }', ada)).toBe('Gallery');
  });

  it('is a list of their own nodes, or of groups', async () => {
    const listed = async (filter: string, person: SignedIn) => {
      const query = `{ nodes(filter: { ${filter} }, first: 100) { edges { node { author { name } type } } } }`;
      const { data, errors } = await server.request<{
        nodes: { edges: { node: { author: { name: string }; type: string } }[] };
      }>(query, {}, person.token);
      if (errors) return String(errors[0]?.extensions.code);
      const found = data?.nodes.edges.map(({ node }) => `${node.type} of ${node.author.name}`) ?? [];
      return [...new Set(found)].toSorted();
    };
    await postOf(bob);
    expect(await listed('', bob)).toEqual(['BLOG_POST of bob']);
    expect(await listed('state: DRAFT', bob)).toEqual(['BLOG_POST of bob']);
    expect(await listed(`authorId: "${toGlobalId('User', bob.reference._id)}"`, bob)).toEqual(['BLOG_POST of bob']);
    expect(await listed('type: BLOG', bob)).toEqual(['BLOG of editor']);
    expect(await listed(`authorId: "${toGlobalId('User', ada.reference._id)}"`, bob)).toBe('FORBIDDEN');
    expect(await listed(`parentId: "${idOf(blog)}"`, bob)).toBe('FORBIDDEN');
    expect(await listed('type: BLOG_POST', bob)).toBe('FORBIDDEN');
    expect(await listed('type: BLOG, state: DELETED', bob)).toBe('FORBIDDEN');
    expect(await listed('', editor)).toEqual(expect.arrayContaining(['BLOG of editor', 'BLOG_POST of bob']));
  });

  it('is live for their own drafts, and begins for others at the publication', async () => {
    const post = await postOf(bob);
    const follow = ({ token }: SignedIn) =>
      server.connect(token).iterate({ query: `subscription { nodeChanged(id: "${idOf(post)}") { node { title } } }` });
    const [own, foreign] = [follow(bob), follow(ada)];
    const next = async (events: ReturnType<typeof follow>) => (await events.next()).value?.data;
    expect(await next(own)).toEqual({ nodeChanged: { node: { title: post.title } } });
    expect(await next(foreign)).toEqual({ nodeChanged: { node: null } });
    const edit = (nonce: string, changes: string) =>
      server.request<{ editNode: { nonce: string } }>(
        `mutation { editNode(id: "${idOf(post)}", nonce: "${nonce}", changes: ${changes}) { ... on BlogPost { nonce } } }`,
        {},
        bob.token,
      );
    const { data } = await edit(post.nonce, '{ title: "Secret" }');
    await edit(data?.editNode.nonce ?? '', '{ title: "Open", publishedAt: "2026-01-01T00:00:00Z" }');
    expect(await next(own)).toEqual({ nodeChanged: { node: { title: 'Secret' } } });
    expect(await next(own)).toEqual({ nodeChanged: { node: { title: 'Open' } } });
    expect(await next(foreign)).toEqual({ nodeChanged: { node: { title: 'Open' } } });
  });
});
