/**
 * Who reaches a post: every audience and every relation, through every way that the API has. The ways are those that the schema has: a
 * field from which a post or a comment can be reached, and that is not tried here, fails the test.
 */
import {
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { allPersonalData } from '../../src/domains.js';
import type { ListArgs } from '../../src/models/social/news/list-state.js';
import { addReferences } from '../../src/models/social/news/news-page.js';
import { posts } from '../../src/models/social/posts/post.js';
import { makeSchema } from '../../src/server/operations/schema.js';
import { idOfType, toGlobalId } from '../../src/shared/global-id.js';
import { useDatabase } from '../support/database.js';
import { useServer } from '../support/server.js';
import { ListClient } from './news/list-client.js';
import { type Member, SocialApi } from './social-api.js';

const database = useDatabase();
const server = useServer(database);
let api: SocialApi;

const RELATIONS = [
  'the author',
  'in the circle',
  'in another circle',
  'a stranger',
  'blocked by the author',
  'who has blocked the author',
  'the owner of the wall',
  'in the circle, blocked by the owner of the wall',
  'not in the network',
  'an administrator',
  'a visitor',
] as const;
type Relation = (typeof RELATIONS)[number];

const AUDIENCES = ['PUBLIC', 'MY_CIRCLES', 'CIRCLES'] as const;

interface Marked {
  readonly id: string;
  readonly audience: (typeof AUDIENCES)[number];
  /** Whether it is on the wall of somebody else. */
  readonly isGuest: boolean;
  /** Part of the text, the question and an option. */
  readonly marker: string;
  /** A comment on it. */
  readonly comment: { readonly id: string; readonly marker: string };
  /** A public post about it, by somebody who sees it. */
  readonly quote: string;
  readonly fanOut: string;
}

const people = {} as Record<Relation, Member | null>;
const marked: Marked[] = [];
let quoter: Member;

const author = () => people['the author'] as Member;
const wallOwner = () => people['the owner of the wall'] as Member;
const ownerOf = ({ isGuest }: Marked): Member => (isGuest ? wallOwner() : author());

/** The rule, in other words than the product's. */
function sees(relation: Relation, { audience, isGuest }: Marked): boolean {
  switch (relation) {
    case 'the author':
      return true;
    case 'blocked by the author':
    case 'who has blocked the author':
      return false;
    case 'in the circle, blocked by the owner of the wall':
      return !isGuest;
    case 'in the circle':
      return true;
    case 'in another circle':
      return audience !== 'CIRCLES';
    case 'the owner of the wall':
      return isGuest || audience === 'PUBLIC';
    default:
      return audience === 'PUBLIC';
  }
}

/** Everybody follows the author, except those over a block, and those who are not in the network. */
const hasInNews = (relation: Relation, post: Marked): boolean => {
  if (!sees(relation, post) || relation === 'a visitor' || relation === 'not in the network') return false;
  return relation !== 'the owner of the wall' || post.audience === 'PUBLIC';
};

beforeAll(async () => {
  api = new SocialApi(database, server);
  for (const relation of RELATIONS) {
    const name = relation.replaceAll(/\W+/g, '-');
    if (relation === 'a visitor') people[relation] = null;
    else if (relation === 'not in the network') people[relation] = await api.account(name);
    else people[relation] = await api.member(name, relation === 'an administrator' ? 'ADMIN' : 'MEMBER');
  }
  quoter = await api.member('quoter');
  const ann = author();
  const foe = people['in the circle, blocked by the owner of the wall'] as Member;
  const inCircle = people['in the circle'] as Member;
  const friends = await api.circle(ann, 'Friends', inCircle, foe, quoter);
  await api.circle(ann, 'Family', people['in another circle'] as Member);
  await api.block(wallOwner(), foe);
  await api.block(ann, people['blocked by the author'] as Member);
  await api.block(people['who has blocked the author'] as Member, ann);
  for (const relation of RELATIONS) {
    const person = people[relation];
    const isApart = relation.includes('blocked') && person !== foe;
    if (person && !isApart && person !== ann && relation !== 'not in the network') await api.circle(person, 'Ann', ann);
  }
  for (const audience of AUDIENCES)
    for (const isGuest of [false, true]) {
      const marker = `secret-${audience}-${isGuest ? 'guest' : 'own'}`;
      const id = await api.post(ann, marker, {
        audience,
        type: 'POLL',
        poll: { question: `${marker}?`, options: [marker, 'No'] },
        circleIds: audience === 'CIRCLES' ? [friends] : [],
        ...(isGuest && { onWallOf: wallOwner().id }),
      });
      const commentMarker = `remark-${marked.length}-`;
      const comment = await api.comment(quoter, id, commentMarker);
      const quote = await api.post(quoter, `About number ${marked.length}`, { audience: 'PUBLIC', aboutId: id });
      const fanOut = toGlobalId('FanOut', idOfType('Post', id) ?? '');
      marked.push({ id, audience, isGuest, marker, comment: { id: comment.id, marker: commentMarker }, quote, fanOut });
    }
  await api.delivered();
  await api.ask(
    'mutation ($id: ID!) { reportComment(id: $id, reason: "Look") { __typename } }',
    { id: marked.at(-1)?.comment.id },
    inCircle,
  );
  // References that do not belong there: what was copied must grant nothing.
  for (const person of Object.values(people)) {
    if (!person) continue;
    const all = await posts(database.db).find({ author_id: ann.account }).toArray();
    const references = all.map(({ _id, posted }) => ({
      reader: person.account,
      post: { id: _id, at: posted, by: ann.account },
    }));
    await addReferences(database.db, references);
  }
  for (let at = 0; at < 50; at += 1) await api.post(quoter, `Another ${at}`, { audience: 'MY_CIRCLES' });
});

const SHOWN = 'text title detail { ... on PollDetail { question options { text } } }';
const POST = `... on Post { ${SHOWN} latestComments { text } discussion(first: 5) { edges { node { text } } } }`;
const CURSORS = 'pageInfo { hasNextPage endCursor }';
const LIST = `edges { cursor node { ${SHOWN} } } ${CURSORS}`;
const COMMENT = `... on Comment { text on { ... on Post { ${SHOWN} } } replies(first: 2) { edges { node { text } } } }`;

const seen = new Map<string, Promise<string>>();

/** The answer as text. The same question of the same reader is sent once. */
const answerTo = (by: Member | null, query: string, variables: object = {}): Promise<string> => {
  const key = JSON.stringify([by?.id, query, variables]);
  const found = seen.get(key) ?? api.send(query, { ...variables }, by).then((answer) => JSON.stringify(answer));
  seen.set(key, found);
  return found;
};

const firstEvent = (by: Member | null, query: string, variables: object = {}): Promise<string> => {
  const key = JSON.stringify([by?.id, query, variables]);
  const read = async () => {
    const follower = api.follow(by, query, { ...variables });
    const first = await follower.answer().catch((error: unknown) => error);
    await follower.close();
    return JSON.stringify(first);
  };
  const found = seen.get(key) ?? read();
  seen.set(key, found);
  return found;
};

type Ask = (by: Member | null, post: Marked, relation: Relation) => Promise<string>;
type Decide = (relation: Relation, post: Marked) => boolean;

interface Way {
  readonly ask: Ask;
  /** Default: whoever sees the post. */
  readonly reaches?: Decide;
  /** In the answer. Default: the post's marker. */
  readonly sign?: (post: Marked) => string;
}

const nobody: Decide = () => false;
const isAuthor: Decide = (relation) => relation === 'the author';
const isAuthorOrAdmin: Decide = (relation) => relation === 'the author' || relation === 'an administrator';
const ofComment = ({ comment }: Marked) => comment.marker;
const isMember: Decide = (relation) => relation !== 'a visitor';
/** The administrator of this test is one for all that editors do. */
const isEditor: Decide = (relation) => relation === 'an administrator';

/** Each begins with the name of a field of a root type. */
const WAYS: Readonly<Record<string, Way>> = {
  'Query.post': { ask: (by, { id }) => answerTo(by, `query ($id: ID!) { post(id: $id) { ${POST} } }`, { id }) },
  'Query.post, its comments': {
    ask: (by, { id }) => answerTo(by, `query ($id: ID!) { post(id: $id) { ${POST} } }`, { id }),
    sign: ofComment,
  },
  'Query.node': { ask: (by, { id }) => answerTo(by, `query ($id: ID!) { node(id: $id) { ${POST} } }`, { id }) },
  'Query.node, as something to comment on': {
    ask: (by, { id }) => answerTo(by, 'query ($id: ID!) { node(id: $id) { ... on Commentable { title } } }', { id }),
  },
  'Query.node of a comment': {
    ask: (by, { comment: { id } }) => answerTo(by, `query ($id: ID!) { node(id: $id) { ${COMMENT} } }`, { id }),
  },
  'Query.node of a comment, its text': {
    ask: (by, { comment: { id } }) => answerTo(by, `query ($id: ID!) { node(id: $id) { ${COMMENT} } }`, { id }),
    sign: ofComment,
  },
  'Query.node of its way': {
    ask: (by, { fanOut }) =>
      answerTo(by, 'query ($id: ID!) { node(id: $id) { ... on FanOut { total } } }', { id: fanOut }),
    reaches: isAuthorOrAdmin,
    sign: () => '"total"',
  },
  'Query.fanOut': {
    ask: (by, { id }) => answerTo(by, 'query ($id: ID!) { fanOut(postId: $id) { total } }', { id }),
    reaches: isAuthorOrAdmin,
    sign: () => '"total"',
  },
  'Query.explainVisibility': {
    ask: (by, { id }) => answerTo(by, 'query ($id: ID!) { explainVisibility(postId: $id) { rule } }', { id }),
    reaches: isAuthorOrAdmin,
    sign: () => '"rule"',
  },
  'Query.wall': {
    ask: (by, post) =>
      answerTo(by, `query ($id: ID!) { wall(userId: $id, first: 20) { ${LIST} } }`, { id: ownerOf(post).id }),
  },
  'Query.profile': {
    ask: (by, post) =>
      answerTo(by, `query ($id: ID) { profile(userId: $id) { wall(first: 20) { ${LIST} } } }`, {
        id: ownerOf(post).id,
      }),
  },
  'Query.findProfiles': {
    ask: (by, post) =>
      answerTo(
        by,
        `query ($name: String!) { findProfiles(namePrefix: $name, first: 2) { edges { node { wall(first: 20) { ${LIST} } } } } }`,
        {
          name: ownerOf(post).name,
        },
      ),
    reaches: (relation, post) => sees(relation, post) && isMember(relation, post),
  },
  'Query.incoming': {
    ask: (by) => answerTo(by, `{ incoming(first: 20) { ${LIST} } }`),
    reaches: (relation, { isGuest }) => relation === 'the owner of the wall' && isGuest,
  },
  'Query.news': { ask: (by) => answerTo(by, `{ news(first: 20) { ${LIST} } }`), reaches: hasInNews },
  'Query.discussion': {
    ask: (by, { id }) =>
      answerTo(
        by,
        `query ($id: ID!) { discussion(nodeId: $id, first: 5) { edges { cursor node { ${COMMENT} } } ${CURSORS} } }`,
        { id },
      ),
  },
  'Query.discussion, its comments': {
    ask: (by, { id }) =>
      answerTo(
        by,
        `query ($id: ID!) { discussion(nodeId: $id, first: 5) { edges { cursor node { ${COMMENT} } } ${CURSORS} } }`,
        { id },
      ),
    sign: ofComment,
  },
  'Query.comment': {
    ask: (by, { id }) => answerTo(by, `query ($id: ID!) { comment(nodeId: $id, slug: "1") { ${COMMENT} } }`, { id }),
    sign: ofComment,
  },
  'Query.commentsOfAuthor': {
    ask: (by) =>
      answerTo(
        by,
        `query ($id: ID!) { commentsOfAuthor(authorId: $id, first: 20) { edges { cursor node { ${COMMENT} } } ${CURSORS} } }`,
        {
          id: quoter.id,
        },
      ),
  },
  'Query.commentsOfAuthor, their texts': {
    ask: (by) =>
      answerTo(
        by,
        `query ($id: ID!) { commentsOfAuthor(authorId: $id, first: 20) { edges { cursor node { text } } ${CURSORS} } }`,
        {
          id: quoter.id,
        },
      ),
    sign: ofComment,
  },
  'Query.commentsToModerate': {
    ask: (by) => answerTo(by, `{ commentsToModerate { edges { cursor node { ${COMMENT} } } ${CURSORS} } }`),
    reaches: nobody, // an editor reads the comment that was reported, not what it is about
  },
  'Query.reportedPosts': {
    ask: (by) => answerTo(by, `{ reportedPosts(first: 20) { edges { cursor node { text } } ${CURSORS} } }`),
    reaches: isEditor, // of editors, the author is the first who reports each
  },
  'Query.post of another, about it': {
    ask: (by, { quote: id }) =>
      answerTo(
        by,
        `query ($id: ID!) { post(id: $id) { text about { ... on Post { ${SHOWN} } ... on Commentable { title } } } }`,
        { id },
      ),
  },
  'Subscription.postChanged': {
    ask: (by, { id }) =>
      firstEvent(by, `subscription ($id: ID!) { postChanged(id: $id) { post { ${POST} } } }`, { id }),
  },
  'Subscription.wallChanged': {
    ask: (by, post) =>
      firstEvent(by, `subscription ($id: ID!) { wallChanged(userId: $id) { posts { ${POST} } } }`, {
        id: ownerOf(post).id,
      }),
  },
  'Subscription.newsChanged': {
    ask: (by) => firstEvent(by, `subscription { newsChanged { posts { ${POST} } } }`),
    reaches: hasInNews,
  },
  'Subscription.incomingChanged': {
    ask: (by) => firstEvent(by, `subscription { incomingChanged { posts { ${POST} } } }`),
    reaches: (relation, { isGuest }) => relation === 'the owner of the wall' && isGuest,
  },
  'Subscription.commentsChanged': {
    ask: (by, { id }) =>
      firstEvent(by, `subscription ($id: ID!) { commentsChanged(nodeId: $id, last: 20) { comments { text } } }`, {
        id,
      }),
    sign: ofComment,
  },
  'Subscription.commentsToModerateChanged': {
    ask: (by) => firstEvent(by, `subscription { commentsToModerateChanged { comments { ${COMMENT} } } }`),
    reaches: nobody,
  },
  'Mutation.postComment': {
    ask: (by, { id }) =>
      answerTo(
        by,
        `mutation ($id: ID!, $name: String) { postComment(nodeId: $id, text: "Me, too", authorName: $name) { ${COMMENT} } }`,
        { id, name: by ? null : 'Zoe' },
      ),
    reaches: (relation, post) => sees(relation, post) && isMember(relation, post) && relation !== 'not in the network',
  },
  'Mutation.editComment': {
    ask: (by, { comment: { id } }) =>
      answerTo(by, `mutation ($id: ID!) { editComment(id: $id, text: "Changed") { ${COMMENT} } }`, { id }),
    reaches: nobody,
  },
  'Mutation.changeCommentPolicy': {
    ask: (by, { id }) =>
      answerTo(by, `mutation ($id: ID!) { changeCommentPolicy(nodeId: $id, policy: EVERYBODY) { ${POST} } }`, { id }),
    reaches: nobody, // of posts, it is always the same
  },
  'Mutation.voteInPoll': {
    ask: (by, { id }) => answerTo(by, `mutation ($id: ID!) { voteInPoll(postId: $id, option: 0) { ${POST} } }`, { id }),
    reaches: (relation, post) => sees(relation, post) && isMember(relation, post) && relation !== 'not in the network',
  },
  'Mutation.publishPost': {
    ask: (by, { id }) =>
      answerTo(
        by,
        `mutation ($id: ID!) { publishPost(input: { text: "See", aboutId: $id }) { ... on Post { about { ${POST} } } } }`,
        {
          id,
        },
      ),
    reaches: (relation, post) => sees(relation, post) && isMember(relation, post) && relation !== 'not in the network',
  },
  'Mutation.editPost': {
    ask: async (by, { id, marker }) =>
      answerTo(
        by,
        `mutation ($id: ID!, $text: String!) { editPost(id: $id, text: $text) { ... on Post { ${SHOWN} } } }`,
        {
          id,
          text: marker,
        },
      ).then((text) => (by?.id === author().id ? text : text.replace(`"text":"${marker}"`, 'CHANGED'))),
    reaches: isAuthor,
  },
  'Mutation.deletePost': {
    ask: async (by, { id }, relation) =>
      isAuthorOrAdmin(relation, {} as Marked) || relation === 'the owner of the wall'
        ? '' // see post.test.ts
        : answerTo(by, 'mutation ($id: ID!) { deletePost(id: $id) { __typename } }', { id }),
    reaches: nobody,
    sign: () => 'DeletedPost',
  },
  'Mutation.dismissReports': {
    ask: (by, { id }) => answerTo(by, 'mutation ($id: ID!) { dismissReports(id: $id) { reported } }', { id }),
    reaches: isEditor,
    sign: () => '"reported":',
  },
  'Mutation.reportPost': {
    ask: (by, { id }) =>
      answerTo(by, 'mutation ($id: ID!) { reportPost(id: $id, reason: "Look") { reported } }', { id }),
    reaches: (relation, post) => sees(relation, post) && isMember(relation, post),
    sign: () => '"reported":true',
  },
};

interface Followed {
  readonly relation: Relation;
  readonly args: ListArgs;
  /** Whether a public post of somebody else on the wall is in the list. */
  readonly isOpen: boolean;
  /** One that stays, and one whose connection is lost meanwhile. */
  readonly clients: readonly [ListClient, ListClient];
}

/** The lists in which somebody could learn of the posts. */
function listsOf(relation: Relation): Followed[] {
  const reader = people[relation]?.account ?? null;
  const isApart = relation === 'blocked by the author' || relation === 'who has blocked the author';
  const isFoe = relation === 'in the circle, blocked by the owner of the wall';
  const of = (args: ListArgs, isOpen: boolean): Followed => ({
    relation,
    args,
    isOpen,
    clients: [new ListClient(args), new ListClient(args)],
  });
  const walls = [
    of({ list: 'WALL', owner: author().account, reader }, !isApart),
    of({ list: 'WALL', owner: wallOwner().account, reader }, !isFoe && relation !== 'the owner of the wall'),
  ];
  if (reader === null) return walls;
  const owner = reader;
  return [...walls, of({ list: 'NEWS', owner, reader }, false), of({ list: 'INCOMING', owner, reader }, true)];
}

const storedIdOf = ({ id }: Marked): string => idOfType('Post', id) ?? '';

/** What the cursors in an answer say. */
const cursorsIn = (text: string): string =>
  [...text.matchAll(/"(?:cursor|endCursor)":"([^"]+)"/g)]
    .map(([, cursor = '']) => Buffer.from(cursor, 'base64url').toString('latin1'))
    .join(' ');

/** Where an editor reads the comment that was reported, also on a post that the editor does not see. */
const isQueueOf = (way: string, relation: Relation, post: Marked) =>
  way === 'Query.commentsToModerate' && isEditor(relation, post);

/** Where the error for an object that the viewer does not see is one for the input. */
const isRefusedInput = (way: string): boolean => way === 'Mutation.publishPost';

describe('a post is reached exactly by those who see it,', () => {
  it.each(RELATIONS)('%s', async (relation) => {
    const by = people[relation];
    const faults: string[] = [];
    for (const [way, { ask, reaches = sees, sign = ({ marker }: Marked) => marker }] of Object.entries(WAYS))
      for (const post of marked) {
        const text = await ask(by, post, relation);
        const isReached = text.includes(sign(post));
        if (isReached !== reaches(relation, post))
          faults.push(`${way}: ${post.marker} ${isReached ? 'is reached' : 'is not reached'}: ${text.slice(0, 300)}`);
        const isTold = cursorsIn(text).includes(storedIdOf(post)) && !isReached && !sees(relation, post);
        if (isTold && !isQueueOf(way, relation, post)) faults.push(`${way}: a cursor tells of ${post.marker}`);
        if (/INTERNAL_SERVER_ERROR|LIMIT_EXCEEDED|BAD_USER_INPUT|GRAPHQL/.test(text) && !isRefusedInput(way))
          faults.push(`${way}: ${text.slice(0, 300)}`);
      }
    expect(faults).toEqual([]);
  });

  it('what is explained to its author agrees, except that it tells of no block between two others', async () => {
    const query = 'query ($id: ID!, $reader: ID) { explainVisibility(postId: $id, readerId: $reader) { isVisible } }';
    for (const post of marked)
      for (const relation of RELATIONS) {
        const variables = { id: post.id, reader: people[relation]?.id ?? null };
        const { explainVisibility } = await api.ask<{ explainVisibility: object }>(query, variables, author());
        const told = relation === 'in the circle, blocked by the owner of the wall' ? 'in the circle' : relation;
        expect(explainVisibility, `${relation}, ${post.marker}`).toEqual({ isVisible: sees(told, post) });
      }
  });

  it('once it is reported also by editors, among the reported posts', async () => {
    const editor = await api.account('an-editor', 'EDITOR');
    const query = '{ reportedPosts(first: 20) { edges { node { text } } } }';
    for (const { id } of marked)
      await api.ask('mutation ($id: ID!) { reportPost(id: $id, reason: "Look") { reported } }', { id }, author());
    const { data } = await api.send(query, {}, editor);
    for (const { marker } of marked) expect(JSON.stringify(data)).toContain(marker);
    for (const relation of RELATIONS) {
      if (relation === 'an administrator') continue;
      const { errors, data: nothing } = await api.send(query, {}, people[relation]);
      expect(errors?.[0]?.extensions.code).toMatch(/^(FORBIDDEN|UNAUTHENTICATED)$/);
      expect(nothing).toBeNull();
    }
  });

  it('in an export by the author alone, whatever others have commented, voted for, shared and received', async () => {
    // What all others store is of no post.
    const ofPosts = allPersonalData.filter(({ domain }) =>
      ['social', 'comments', 'content', 'people'].includes(domain),
    );
    expect(ofPosts).toHaveLength(4);
    for (const relation of RELATIONS) {
      const rows: object[] = [];
      for (const domain of ofPosts)
        for await (const { row } of domain.rows(database.db, people[relation]?.account ?? '')) rows.push(row);
      const text = JSON.stringify(rows);
      for (const { marker, comment } of marked) {
        expect(text.includes(marker), `${marker} in the export of ${relation}`).toBe(relation === 'the author');
        expect(text.includes(comment.marker), `${comment.marker} in the export of ${relation}`).toBe(false);
      }
    }
  });

  it('and by nobody once it is deleted; its id is told only to those who saw it', async () => {
    const followed = RELATIONS.flatMap(listsOf);
    for (const { clients } of followed) for (const client of clients) await client.connect(server.services.hub);
    for (const { clients } of followed)
      for (const client of clients) await client.until('the first posts', () => client.snapshots > 0);
    for (const { clients } of followed) await clients[1].disconnect();
    for (const { id } of marked) await api.remove(author(), id);
    for (const { clients } of followed) await clients[1].connect(server.services.hub);
    for (const owner of [author(), wallOwner()]) {
      const last = idOfType('Post', await api.post(quoter, 'The last', { audience: 'PUBLIC', onWallOf: owner.id }));
      for (const { clients, args } of followed.filter((list) => list.args.owner === owner.account && list.isOpen))
        for (const client of clients)
          await client.until(`the last post in ${JSON.stringify(args)}`, (shown) =>
            shown.some(({ _id }) => _id === last),
          );
    }
    const told = followed.flatMap(({ relation, args, clients }) =>
      clients.flatMap(({ removed }) =>
        marked
          .filter((post) => removed.includes(idOfType('Post', post.id) ?? '') && !sees(relation, post))
          .map(({ marker }) => `${relation} is told in ${args.list} that ${marker} is gone`),
      ),
    );
    expect(told).toEqual([]);
    const ofAuthor = followed.find(({ relation, args }) => relation === 'the author' && args.list === 'WALL');
    expect(ofAuthor?.clients.map(({ removed }) => new Set(removed).size)).toEqual([3, 3]);
    for (const { clients } of followed) for (const client of clients) await client.disconnect();
    seen.clear();
    const faults: string[] = [];
    for (const relation of RELATIONS)
      for (const [way, { ask, sign = ({ marker }: Marked) => marker }] of Object.entries(WAYS)) {
        if (/explainVisibility|fanOut|of its way|deletePost|dismissReports/.test(way)) continue;
        for (const post of marked) {
          const text = await ask(people[relation], post, relation);
          if (text.includes(sign(post))) faults.push(`${relation}, ${way}: ${post.marker}: ${text.slice(0, 200)}`);
        }
      }
    expect(faults).toEqual([]);
  });
});

/** Fields of the root types from which a post, or a comment on one, can be reached, without the people around it. */
function findWays(schema: GraphQLSchema): string[] {
  const targets = new Set(['Post', 'Node', 'Commentable', 'Comment']);
  // Tried by `profile` and `findProfiles`, and things with discussions of their own.
  const { objects, interfaces } = schema.getImplementations(schema.getType('Commentable') as GraphQLInterfaceType);
  const others = [...objects, ...interfaces].map(({ name }) => name);
  const closed = new Set(['Author', 'Profile', ...others].filter((name) => !targets.has(name)));
  const leads = (type: GraphQLNamedType, known: Set<string>): boolean => {
    if (targets.has(type.name)) return true;
    if (closed.has(type.name) || known.has(type.name)) return false;
    known.add(type.name);
    const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
    const possible = isUnionType(type) || isInterfaceType(type) ? schema.getPossibleTypes(type) : [];
    return [...fields.map((field) => getNamedType(field.type)), ...possible].some((each) => leads(each, known));
  };
  return [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((root) =>
    Object.values(root?.getFields() ?? {})
      .filter((field) => leads(getNamedType(field.type), new Set()))
      .map((field) => `${root?.name}.${field.name}`),
  );
}

describe('the ways', () => {
  it('are all that the schema has', () => {
    const tried = new Set(Object.keys(WAYS).map((way) => /^\w+\.\w+/.exec(way)?.[0]));
    const found = findWays(makeSchema());
    expect(found).toContain('Query.news');
    expect(found.filter((way) => !tried.has(way))).toEqual([]);
  });
});
