import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { PersistedTexts } from '../../../src/server/operations/http-admission.js';
import { OperationAdmission, type OperationRequest } from '../../../src/server/operations/operation-admission.js';
import { OperationRejected } from '../../../src/server/request/failure.js';
import { testConfig } from '../../support/server.js';

const schema = buildSchema(`
  directive @cost(weight: Int!) on FIELD_DEFINITION
  directive @listSize(argument: String, max: Int!) on FIELD_DEFINITION
  directive @chartCost(range: String!, unit: String!, slotsPerPoint: Int!, max: Int!) on FIELD_DEFINITION
  enum Unit { MINUTE HOUR MONTH }
  input Range { from: String!, to: String! }
  interface Named { name: String }
  type Item implements Named { name: String, items(first: Int = 5): [Item!]! @listSize(argument: "first", max: 100), all: [Item!]! @listSize(max: 10) }
  union Found = Item
  type Query { item: Item, expensive: Item @cost(weight: 50), expensiveValue: Int @cost(weight: 7), value: Int, named: Named, found: Found
    chart(range: Range!, unit: Unit!): Item @cost(weight: 20) @chartCost(range: "range", unit: "unit", slotsPerPoint: 10, max: 50000)
    live(last: String! = "PT1H", unit: Unit! = MINUTE): Item @chartCost(range: "last", unit: "unit", slotsPerPoint: 10, max: 50000) }
`);

const CHART = 'query($range: Range!, $unit: Unit = HOUR) { chart(range: $range, unit: $unit) { name } }';
const PARTS = 'query($to: String!) { chart(range: { from: "2026-01-01T00:00:00Z", to: $to }, unit: HOUR) { name } }';

/** The estimated cost of an operation, from its rejection by a limit that every operation exceeds. */
function costOf(request: OperationRequest): number {
  const admission = new OperationAdmission(schema, { ...testConfig(), MAX_COST: -1 });
  try {
    admission.admit(request);
  } catch (error) {
    if (error instanceof OperationRejected) return Number(error.errors[0]?.extensions.cost);
    throw error;
  }
  throw new Error('Every operation costs more than -1');
}

describe('the estimated cost of an operation', () => {
  it.each<[string, number, Record<string, unknown>?]>([
    ['{ value }', 0],
    ['{ item { name } }', 1],
    ['{ expensive { name } expensiveValue }', 57],
    ['{ item { items(first: 10) { name } } }', 2], // the list once: its items' names cost nothing
    ['{ item { items(first: 10) { items(first: 20) { name } } } }', 1 + 1 + 10],
    ['{ item { items { items { items { name } } } } }', 1 + 1 + 5 * (1 + 5)],
    ['{ item { all { all { name } } } }', 1 + 1 + 10],
    ['query($n: Int) { item { items(first: $n) { all { name } } } }', 1 + 1 + 30, { n: 30 }],
    ['query($n: Int) { item { items(first: $n) { all { name } } } }', 1 + 1 + 5],
    ['query($n: Int = 40) { item { items(first: $n) { all { name } } } }', 1 + 1 + 40],
    ['query($n: Int = 40) { item { items(first: $n) { all { name } } } }', 1 + 1 + 2, { n: 2 }],
    ['{ item { items(first: -3) { all { name } } } }', 2],
    ['{ item { ...f ...f } } fragment f on Item { all { all { name } } }', 1 + 2 * 11],
    ['{ named { name ... on Item { all { all { name } } } } }', 1 + 11],
    ['{ found { __typename ... on Item { all { name } } } }', 2],
    ['{ __schema { types { name } } }', 0],
    [`{ chart(range: { from: "2026-01-01T00:00:00Z", to: "2026-01-31T00:00:00Z" }, unit: HOUR) { name } }`, 20 + 72],
    [`{ chart(range: { from: "2026-01-01T00:30:00Z", to: "2026-01-01T01:01:00Z" }, unit: HOUR) { name } }`, 20 + 1],
    [
      `{ chart(range: { from: "1970-01-01T00:00:00Z", to: "2026-01-01T00:00:00Z" }, unit: MINUTE) { name } }`,
      20 + 5000,
    ],
    [`{ chart(range: { from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z" }, unit: MINUTE) { name } }`, 20],
    [`{ chart(range: { from: "2026-02-30T00:00:00Z", to: "soon" }, unit: MINUTE) { name } }`, 20],
    [CHART, 20 + 144, { range: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }, unit: 'MINUTE' }],
    [CHART, 20 + 3, { range: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' } }],
    [CHART, 20 + 2, { range: { from: '2024-01-15T00:00:00Z', to: '2025-02-01T00:00:00Z' }, unit: 'MONTH' }],
    [CHART, 20, { range: { from: { $gt: '' }, to: 1 } }],
    [CHART, 20, {}],
    [PARTS, 20 + 3, { to: '2026-01-02T00:00:00Z' }],
    ['{ live { name } }', 1 + 6],
    ['{ live(last: "P1D") { name } }', 1 + 144],
    ['query($last: String!) { live(last: $last, unit: HOUR) { name } }', 1 + 2, { last: 'PT20H' }],
    ['query($last: String) { live(last: $last) { name } }', 1 + 6],
    ['{ a: live(last: "P1D") { name } b: live(last: "P1D") { name } }', 2 * (1 + 144)],
  ])('%s costs %i', (query, cost, variables = {}) => {
    expect(costOf({ query, variables })).toBe(cost);
  });
});

describe('nested brackets, with a high token limit', () => {
  const admission = new OperationAdmission(schema, { ...testConfig(), MAX_TOKENS: 100_000 });
  it.each([
    ['selections', '{ item ', '}'],
    ['lists', '[', ']'],
    ['input objects', '{a:', '}'],
    ['list types', '[', ']'],
  ])('are rejected before any recursive stage: %s', (name, open, close) => {
    const deep = open.repeat(20_000) + close.repeat(20_000);
    const query =
      name === 'selections'
        ? deep
        : name === 'list types'
          ? `query($v: ${deep}) { value }`
          : `{ item(v: ${deep}) { name } }`;
    expect(() => admission.admit({ query })).toThrow('brackets more than 200 deep');
  });
});

describe('a list argument set by a variable', () => {
  const admission = new OperationAdmission(schema, testConfig());
  const query = 'query($n: Int) { item { items(first: $n) { name } } }';
  it('is checked on each request, even when the text is cached', () => {
    for (const n of [1, 100]) expect(admission.admit({ query, variables: { n } }).document).toBeDefined();
    expect(() => admission.admit({ query, variables: { n: 101 } })).toThrow(
      expect.objectContaining({
        errors: [
          expect.objectContaining({
            message: 'items(first:) is 101; at most 100 are allowed',
            extensions: { code: 'LIMIT_EXCEEDED', limit: 100, field: 'first' },
          }),
        ],
      }),
    );
    expect(admission.cache.size).toBe(1);
  });
});

describe('the texts that clients register', () => {
  const admission = new OperationAdmission(schema, testConfig());
  const keyOf = (name: number) => `apq:${name}`;
  const kept = async (texts: PersistedTexts, count: number) =>
    (await Promise.all(Array.from({ length: count }, (_, name) => texts.get(keyOf(name))))).filter((text) => text)
      .length;

  it.each([
    ['number', 2500, 'x', 2000],
    ['size', 20, 'x'.repeat(1_000_000), 8],
  ])('are limited in %s, and the latest are kept', async (_case, count, text, expected) => {
    const texts = new PersistedTexts(admission);
    for (let name = 0; name < count; name += 1) await texts.set(keyOf(name), text);
    expect(await texts.get(keyOf(count - 1))).toBe(text);
    expect(await kept(texts, count)).toBe(expected);
  });
});
