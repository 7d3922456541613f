/** Errors of variables name the argument, whatever an operation calls its variables. */
import { type GraphQLInputType, getNamedType, getNullableType, isInputObjectType, isListType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { makeSchema } from '../../../src/server/operations/schema.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';

const database = useDatabase();
const server = useServer(database);
const mutations = Object.values(makeSchema().getMutationType()?.getFields() ?? {});

/** No value of a leaf. */
const WRONG = { wrong: true };
const DEPTH_MAX = 4;

/** A value in which everything is wrong, and the paths of its errors. */
function wrongValue(type: GraphQLInputType, path: string, depth = 0): { value: unknown; paths: string[] } {
  const nullable = getNullableType(type);
  const named = getNamedType(type);
  if (!isInputObjectType(named) || depth === DEPTH_MAX) return { value: WRONG, paths: [path] };
  const at = isListType(nullable) ? `${path}.0` : path;
  const parts = Object.values(named.getFields()).map((field) => ({
    name: field.name,
    ...wrongValue(field.type, `${at}.${field.name}`, depth + 1),
  }));
  const value = Object.fromEntries(parts.map((part) => [part.name, part.value]));
  return { value: isListType(nullable) ? [value] : value, paths: parts.flatMap((part) => part.paths) };
}

const fieldsOf = async (query: string, variables: Record<string, unknown>) =>
  ((await server.request(query, variables)).errors ?? []).map(({ extensions }) => extensions.field);

describe('a value of the wrong type', () => {
  it.each(mutations.filter(({ args }) => args.length > 0).map(({ name, args }) => [name, args] as const))(
    'is named by its argument: %s',
    async (name, args) => {
      const declared = args.map((arg, index) => `$v${index}: ${String(arg.type)}`).join(', ');
      const given = args.map((arg, index) => `${arg.name}: $v${index}`).join(', ');
      const wrong = args.map((arg) => wrongValue(arg.type, arg.name));
      const variables = Object.fromEntries(wrong.map(({ value }, index) => [`v${index}`, value]));
      const fields = await fieldsOf(`mutation(${declared}) { ${name}(${given}) { __typename } }`, variables);
      expect([...new Set(fields)].sort()).toEqual(wrong.flatMap(({ paths }) => paths).sort());
    },
  );

  it.each<[string, string, Record<string, unknown>, string[]]>([
    [
      'is missing',
      'mutation($x: String!, $i: ID!) { editNode(id: $i, nonce: $x, changes: {}) { __typename } }',
      {},
      ['nonce', 'id'],
    ],
    ['is null', 'mutation($x: ID!) { restoreNode(id: $x) { __typename } }', { x: null }, ['id']],
    [
      'is a part of an object',
      'mutation($t: String!) { createNode(input: { type: PAGE, title: $t }) { __typename } }',
      { t: 1 },
      ['input.title'],
    ],
    [
      'is in a list',
      'mutation($t: String!) { addTags(id: "a", tags: ["b", $t]) { __typename } }',
      { t: 1 },
      ['tags.1'],
    ],
    [
      'is an item',
      'mutation($t: [String!]!) { addTags(id: "a", tags: $t) { __typename } }',
      { t: ['b', 1] },
      ['tags.1'],
    ],
    [
      'is used in a fragment',
      'query($x: Int!) { nodeByPath(path: "/") { ...F } } fragment F on ContentNode { ... on Blog { posts(first: $x) { edges { cursor } } } }',
      { x: 'a' },
      ['first'],
    ],
    [
      'is used in several places',
      'mutation($x: String!) { a: restoreNode(id: "a", slug: $x) { __typename } b: moveNode(id: "b", nonce: $x) { __typename } }',
      { x: 1 },
      ['slug'],
    ],
    ['belongs to a directive', 'query($x: Boolean!) { node(id: "a") @include(if: $x) { id } }', { x: 1 }, ['if']],
    [
      'is a required field that is missing',
      'mutation($i: CreateNodeInput!) { createNode(input: $i) { __typename } }',
      { i: { excerpt: '; Field "a" of required type "B" was not provided.' } },
      ['input.type', 'input.title'],
    ],
    [
      'is missing in an item',
      'mutation($h: [HitInput!]!) { recordHits(hits: $h) { __typename } }',
      { h: [{ site: 'a.example', page: '/' }, { site: 'a.example' }] },
      ['hits.1.page'],
    ],
    [
      'is no text',
      'mutation($i: CreateNodeInput!) { createNode(input: $i) { __typename } }',
      { i: { type: 'PAGE', title: 'a', tags: ['b', '\ud800'] } },
      ['input.tags.1'],
    ],
    ['has no place', 'query { node(id: "a") { id } }', { x: '\ud800' }, ['x']],
  ])('%s: the argument is named', async (_case, query, variables, fields) => {
    expect(await fieldsOf(query, variables)).toEqual(fields);
  });

  it('is named by its argument over a socket, too', async () => {
    const socket = server.connect();
    const query = 'subscription($x: ID!) { nodeChanged(id: $x) { cursor } }';
    const { value } = await socket.iterate({ query, variables: { x: {} } }).next();
    expect(value?.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', field: 'id' } }]);
    await socket.dispose();
  });
});
