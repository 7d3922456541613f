/** Operations that must not be executed, and the error that each gets from every transport. */

export const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);
export interface HostileOperation {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
  readonly code: string;
  readonly message?: RegExp;
  /** Expected in the last error, if there are several. */
  readonly last?: { readonly code: string; readonly limit: number };
}

export const hostileOperations: Record<string, HostileOperation> = {
  'no operation': { query: 'fragment f on Query { viewer { id } }', code: 'GRAPHQL_VALIDATION_FAILED' },
  'text that is not GraphQL': { query: '{ viewer', code: 'GRAPHQL_PARSE_FAILED' },
  'a character that starts no token': { query: '{ viewer § }', code: 'GRAPHQL_PARSE_FAILED' },
  'an operation name that the text does not have': {
    query: 'query A { __typename }',
    operationName: 'B',
    code: 'BAD_REQUEST',
  },
  'several operations and no name': { query: 'query A { __typename } query B { __typename }', code: 'BAD_REQUEST' },
  '100 aliases of signIn': {
    query: `mutation { ${Array.from({ length: 100 }, (_, i) => `a${i}: signIn(email: "a@b.c", password: "x") { __typename }`).join(' ')} }`,
    code: 'LIMIT_EXCEEDED',
    message: /aliases/,
  },
  'a field 10,000 times': { query: `{ ${'__typename '.repeat(10_000)} }`, code: 'LIMIT_EXCEEDED', message: /tokens/ },
  '100 x 50 inline fragments': {
    query: `{ ${`... on Query { ${'... on Query { __typename } '.repeat(50)} } `.repeat(100)} }`,
    code: 'LIMIT_EXCEEDED',
    message: /tokens/,
  },
  'selections 5,000 deep': { query: nested(5000, '{ viewer ', '}'), code: 'LIMIT_EXCEEDED' },
  'selections 300 deep': { query: nested(300, '{ viewer ', '}'), code: 'LIMIT_EXCEEDED', message: /deep/ },
  'selections 20 deep': {
    query: `{ viewer ${nested(20, '{ viewer ', '}')} }`,
    code: 'LIMIT_EXCEEDED',
    message: /fields deep/,
  },
  'a list literal 20,000 deep': {
    query: `{ node(id: ${nested(20_000, '[', ']')}) { id } }`,
    code: 'LIMIT_EXCEEDED',
  },
  '5,000 unknown directives': { query: `{ __typename ${'@no '.repeat(5000)} }`, code: 'LIMIT_EXCEEDED' },
  '60 unknown directives': {
    query: `{ __typename ${'@no '.repeat(60)} }`,
    code: 'LIMIT_EXCEEDED',
    message: /directives/,
  },
  'a field with selections 100 times': {
    query: `{ ${'viewer { id } '.repeat(100)} }`,
    code: 'LIMIT_EXCEEDED',
    message: /100 uses of one field with selections; at most 50/,
  },
  'a field 300 times side by side': {
    query: `{ viewer { ${'id '.repeat(300)} } }`,
    code: 'LIMIT_EXCEEDED',
    message: /300 selections side by side; at most 200/,
  },
  '150 fragments with the same field': {
    query: `{ ${Array.from({ length: 150 }, (_, i) => `...f${i}`).join(' ')} } ${Array.from({ length: 150 }, (_, i) => `fragment f${i} on Query { __typename }`).join(' ')}`,
    code: 'LIMIT_EXCEEDED',
    message: /150 fragments; at most 50/,
  },
  'a mutation that signs in 30 times, by aliases': {
    query: `mutation { ${Array.from({ length: 31 }, (_, i) => `a${i}: signIn(email: "a@b.c", password: "x") { __typename }`).join(' ')} }`,
    code: 'LIMIT_EXCEEDED',
    message: /31 aliases; at most 30/,
  },
  'a subscription to two things at once': {
    query: 'subscription { hitChartChanged(site: "a", page: "/") { cursor } topPagesChanged(site: "a") { cursor } }',
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  'a subscription to nothing, by a condition': {
    query: 'subscription { hitChartChanged(site: "a", page: "/") @skip(if: true) { cursor } }',
    code: 'GRAPHQL_VALIDATION_FAILED',
    message: /may not have @skip/,
  },
  'a subscription to nothing, by a condition in fragments': {
    query:
      'subscription($no: Boolean = false) { ... { ...f } } fragment f on Subscription { ...f hitChartChanged(site: "a", page: "/") @include(if: $no) { cursor } }',
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  '__proto__ as an operation name': { query: '{ __typename }', operationName: '__proto__', code: 'BAD_REQUEST' },
  'constructor as an operation name': { query: '{ __typename }', operationName: 'constructor', code: 'BAD_REQUEST' },
  'a field of every object': { query: '{ constructor { name } }', code: 'GRAPHQL_VALIDATION_FAILED' },
  'a fragment on an unknown type': {
    query: '{ ... on __proto__ { id } }',
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  'definitions of a schema': { query: 'type Query { a: Int }', code: 'GRAPHQL_VALIDATION_FAILED' },
  'a costly operation': {
    query:
      '{ logImports(site: "a", first: 100) { edges { node { rejects(first: 500) { edges { node { line } } } } } } }',
    code: 'LIMIT_EXCEEDED',
    message: /cost is \d+; at most 10000/,
  },
  '30 charts of 50,000 points': {
    query: `{ ${Array.from({ length: 30 }, (_, i) => `a${i}: hitChart(site: "a", page: "/", unit: MINUTE, range: { from: "2026-01-01T00:00:00Z", to: "2026-02-04T00:00:00Z" }) { total }`).join(' ')} }`,
    code: 'LIMIT_EXCEEDED',
    message: /cost is 147480; at most 10000/,
  },
  'a list argument beyond its bound': {
    query: 'query { events(filter: {site: "a"}, first: 100000) { edges { node { id } } } }',
    code: 'LIMIT_EXCEEDED',
    message: /events\(first:\) is 100000; at most 500/,
  },
  'a list argument beyond its bound, by a variable': {
    query: 'query($n: Int!) { events(filter: {site: "a"}, first: $n) { edges { node { id } } } }',
    variables: { n: 100_000 },
    code: 'LIMIT_EXCEEDED',
    message: /at most 500/,
  },
  'a list argument beyond its bound, by the default of a variable': {
    query: 'query($n: Int! = 501) { events(filter: {site: "a"}, first: $n) { edges { node { id } } } }',
    code: 'LIMIT_EXCEEDED',
    message: /is 501; at most 500/,
  },
  'a fragment named __schema': {
    query: `query { ...__schema } fragment __schema on Query { viewer ${nested(20, '{ viewer ', '}')} }`,
    code: 'LIMIT_EXCEEDED',
  },
  'depth by reused fragments': {
    query: `{ ...a } fragment a on Query { viewer { id ...b } } fragment b on User { id ${nested(11, '{ id ', '}')} }`,
    code: 'LIMIT_EXCEEDED',
    message: /13 fields deep/,
  },
  'a recursive fragment': {
    query: '{ viewer { ...a } } fragment a on User { id ...b } fragment b on User { ...a }',
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  'fragments that double 22 times': {
    query: `{ viewer { ...f0 } } ${Array.from({ length: 22 }, (_, i) => `fragment f${i} on User { ...f${i + 1} ...f${i + 1} }`).join(' ')} fragment f22 on User { id }`,
    code: 'LIMIT_EXCEEDED',
    message: /fragments expanded/,
  },
  'circular introspection': {
    query: '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  'a variable of the wrong type': {
    query: 'query($id: ID!) { node(id: $id) { id } }',
    variables: { id: { $gt: '' } },
    code: 'BAD_USER_INPUT',
    message: /Variable "\$id"/,
  },
  'a missing variable': { query: 'query($id: ID!) { node(id: $id) { id } }', code: 'BAD_USER_INPUT' },
  'a lone surrogate': {
    query: 'query($id: ID!) { node(id: $id) { id } }',
    variables: { id: '\ud800' },
    code: 'BAD_USER_INPUT',
    message: /^id must be well-formed/,
  },
  'variables 1,000 deep': {
    query: 'query($id: ID!) { node(id: $id) { id } }',
    variables: { id: JSON.parse(nested(1000, '[', ']')) },
    code: 'LIMIT_EXCEEDED',
    message: /variables/,
  },
  'the 30th of February': {
    query: 'mutation($hits: [HitInput!]!) { recordHits(hits: $hits) { recorded } }',
    variables: { hits: [{ site: 'a', page: '/', at: '2015-02-30T00:00:00Z' }] },
    code: 'BAD_USER_INPUT',
    message: /Variable "\$hits"/,
  },
  'more errors than are listed': {
    query: `{ ${Array.from({ length: 100 }, (_, i) => `f${i}`).join(' ')} }`,
    code: 'GRAPHQL_VALIDATION_FAILED',
    last: { code: 'LIMIT_EXCEEDED', limit: 5 },
  },
  'variables with more errors than are listed': {
    query: 'mutation($hits: [HitInput!]!) { recordHits(hits: $hits) { recorded } }',
    variables: { hits: Array.from({ length: 100 }, () => ({ site: 1, page: 2 })) },
    code: 'BAD_USER_INPUT',
    last: { code: 'LIMIT_EXCEEDED', limit: 50 },
  },
  'an email address of 300 characters': {
    query: 'mutation($e: EmailAddress!) { signIn(email: $e, password: "x") { __typename } }',
    variables: { e: `${'a'.repeat(300)}@example.org` },
    code: 'BAD_USER_INPUT',
    message: /EmailAddress must be/,
  },
};
