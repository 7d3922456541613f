/**
 * Who reaches a post: every audience, every relation and every type, through every way that the API has. The ways are those that the schema
 * has: a field from which a post or a comment can be reached, and that is not tried here, fails the test.
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
import { makeSchema } from '../../src/server/operations/schema.js';
import { idOfType } from '../../src/shared/global-id.js';
import { useDatabase } from '../support/database.js';
import { useServer } from '../support/server.js';
import { listWays } from './attack/lists.js';
import { type Marked, RELATIONS, type Relation, Scene, sees } from './attack/scene.js';
import { Asker, isEditor, type Way, type Ways } from './attack/way.js';
import { waysById } from './attack/ways.js';
import { ListClient } from './news/list-client.js';
import { SocialApi } from './social-api.js';

const database = useDatabase();
const server = useServer(database);
let scene: Scene;
let asker: Asker;
let lists: Ways;
let byId: Ways;

beforeAll(async () => {
  const api = new SocialApi(database, server);
  scene = await Scene.set(api);
  asker = new Asker(api);
  lists = listWays(scene, asker);
  byId = waysById(scene, asker);
});

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
  const reader = scene.people[relation]?.account ?? null;
  const isApart = relation === 'blocked by the author' || relation === 'who has blocked the author';
  const isFoe = relation === 'in the circle, blocked by the owner of the wall';
  const of = (args: ListArgs, isOpen: boolean): Followed => ({
    relation,
    args,
    isOpen,
    clients: [new ListClient(args), new ListClient(args)],
  });
  const walls = [
    of({ list: 'WALL', owner: scene.author.account, reader }, !isApart),
    of({ list: 'WALL', owner: scene.wallOwner.account, reader }, !isFoe && relation !== 'the owner of the wall'),
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

const ERRORS = /INTERNAL_SERVER_ERROR|LIMIT_EXCEEDED|BAD_USER_INPUT|GRAPHQL/;

async function findFaults(relation: Relation, name: string, way: Way, some: readonly Marked[]): Promise<string[]> {
  const { ask, reaches = sees, sign = ({ marker }) => marker } = way;
  const faults: string[] = [];
  for (const post of some) {
    const text = await ask(scene.people[relation], post, relation);
    const isReached = text.includes(sign(post));
    if (isReached !== reaches(relation, post))
      faults.push(`${name}: ${post.marker} ${isReached ? 'is reached' : 'is not reached'}: ${text.slice(0, 300)}`);
    if (ERRORS.test(text) && !isRefusedInput(name)) faults.push(`${name}: ${text.slice(0, 300)}`);
    if (isReached || sees(relation, post)) continue;
    if (cursorsIn(text).includes(storedIdOf(post)) && !isQueueOf(name, relation, post))
      faults.push(`${name}: a cursor tells of ${post.marker}`);
    if (post.picture && (text.includes(post.picture.id) || text.includes(post.picture.stored)))
      faults.push(`${name}: the picture of ${post.marker} is told`);
  }
  return faults;
}

/** What is told of posts that are deleted. */
async function findLeft(relation: Relation, name: string, way: Way, some: readonly Marked[]): Promise<string[]> {
  const { ask, sign = ({ marker }) => marker } = way;
  const left: string[] = [];
  for (const post of some) {
    const text = await ask(scene.people[relation], post, relation);
    if (text.includes(sign(post))) left.push(`${relation}, ${name}: ${post.marker}: ${text.slice(0, 200)}`);
  }
  return left;
}

/** Each way leads to one post of each row, and another relation or way to one of another type. */
const turnOf = (relation: Relation, way: number): number => RELATIONS.indexOf(relation) + way;

describe('a post is reached exactly by those who see it,', () => {
  it.each(RELATIONS)('%s, in lists', async (relation) => {
    const faults: string[] = [];
    for (const [name, way] of Object.entries(lists))
      faults.push(...(await findFaults(relation, name, way, scene.marked)));
    expect(faults).toEqual([]);
  });

  it.each(RELATIONS)('%s, one by one', async (relation) => {
    const faults: string[] = [];
    for (const [at, [name, way]] of Object.entries(byId).entries())
      faults.push(...(await findFaults(relation, name, way, scene.oneOfEachRow(turnOf(relation, at), way.types))));
    expect(faults).toEqual([]);
  });

  it('what is explained to its author agrees, except that it tells of no block between two others', async () => {
    const query = 'query ($id: ID!, $reader: ID) { explainVisibility(postId: $id, readerId: $reader) { isVisible } }';
    for (const [turn, relation] of RELATIONS.entries())
      for (const post of scene.oneOfEachRow(turn)) {
        const variables = { id: post.id, reader: scene.people[relation]?.id ?? null };
        const { explainVisibility } = await scene.api.ask<{ explainVisibility: object }>(
          query,
          variables,
          scene.author,
        );
        const told = relation === 'in the circle, blocked by the owner of the wall' ? 'in the circle' : relation;
        expect(explainVisibility, `${relation}, ${post.marker}`).toEqual({ isVisible: sees(told, post) });
      }
  });

  it('once it is reported also by editors, among the reported posts', async () => {
    const editor = await scene.api.account('an-editor', 'EDITOR');
    const query = '{ reportedPosts(first: 20) { edges { node { text } } } }';
    for (const { id } of scene.marked) await scene.report(id);
    const { data } = await scene.api.send(query, {}, editor);
    for (const { marker } of scene.marked) expect(JSON.stringify(data)).toContain(marker);
    for (const relation of RELATIONS) {
      if (relation === 'an administrator') continue;
      const { errors, data: nothing } = await scene.api.send(query, {}, scene.people[relation]);
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
        for await (const { row } of domain.rows(database.db, scene.people[relation]?.account ?? '')) rows.push(row);
      const text = JSON.stringify(rows);
      for (const { marker, comment } of scene.marked) {
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
    for (const { id } of scene.marked) await scene.api.remove(scene.author, id);
    for (const { clients } of followed) await clients[1].connect(server.services.hub);
    for (const owner of [scene.author, scene.wallOwner]) {
      const last = idOfType(
        'Post',
        await scene.api.post(scene.friend, 'The last', { audience: 'PUBLIC', onWallOf: owner.id }),
      );
      for (const { clients, args } of followed.filter((list) => list.args.owner === owner.account && list.isOpen))
        for (const client of clients)
          await client.until(`the last post in ${JSON.stringify(args)}`, (shown) =>
            shown.some(({ _id }) => _id === last),
          );
    }
    const told = followed.flatMap(({ relation, args, clients }) =>
      clients.flatMap(({ removed }) =>
        scene.marked
          .filter((post) => removed.includes(idOfType('Post', post.id) ?? '') && !sees(relation, post))
          .map(({ marker }) => `${relation} is told in ${args.list} that ${marker} is gone`),
      ),
    );
    expect(told).toEqual([]);
    const ofAuthor = followed.find(({ relation, args }) => relation === 'the author' && args.list === 'WALL');
    const onOwnWall = scene.marked.filter(({ isGuest }) => !isGuest).length;
    expect(ofAuthor?.clients.map(({ removed }) => new Set(removed).size)).toEqual([onOwnWall, onOwnWall]);
    for (const { clients } of followed) for (const client of clients) await client.disconnect();
    asker.forget();
    const left: string[] = [];
    for (const relation of RELATIONS) {
      for (const [name, way] of Object.entries(lists))
        left.push(...(await findLeft(relation, name, way, scene.marked)));
      for (const [at, [name, way]] of Object.entries(byId).entries()) {
        if (way.isBeside) continue;
        const some = scene.oneOfEachRow(turnOf(relation, at), way.types);
        left.push(...(await findLeft(relation, name, way, some)));
      }
    }
    expect(left).toEqual([]);
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
    const tried = new Set([...Object.keys(lists), ...Object.keys(byId)].map((way) => /^\w+\.\w+/.exec(way)?.[0]));
    const found = findWays(makeSchema());
    expect(found).toContain('Query.news');
    expect(found.filter((way) => !tried.has(way))).toEqual([]);
  });
});
