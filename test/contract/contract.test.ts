/** Every operation sent by real clients validates against the schema and returns the result expected in the table. */
import { buildASTSchema, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Product, startProduct } from '../../harness/product.js';
import { readTypeDefinitions } from '../../src/server/operations/schema.js';
import { domains } from '../domains.js';
import { useDatabase } from '../support/database.js';
import type { Reasons } from '../support/domain/test-domain.js';
import { contractIsThere, type Operation, readOperations } from './contract.js';
import type { Earlier, Row } from './row.js';

/** Run in this order, on an empty database. */
const rows = (await Promise.all(domains.map((domain) => domain.contractRows?.() ?? []))).flat();
const later: Reasons = Object.assign({}, ...domains.map(({ laterOperations }) => laterOperations));
const operations = [...domains.map(({ name }) => name), 'joins'].flatMap(readOperations);
const due = operations.filter(({ name }) => !(name in later));
if (!contractIsThere) process.stderr.write('The contract is not at ../shared/contract: its tests are skipped\n');

describe.skipIf(!contractIsThere)('the operations of the contract', () => {
  const schema = buildASTSchema(parse(readTypeDefinitions().join('\n')));

  it.each(due)('$name validates', ({ document }) => {
    expect(validate(schema, document).map(({ message }) => message)).toEqual([]);
  });

  it('each have a row, in the table or in the list of later work', () => {
    const named = [...rows.map(({ operation }) => operation), ...Object.keys(later)];
    expect(named.toSorted()).toEqual(operations.map(({ name }) => name).toSorted());
  });
});

describe.skipIf(!contractIsThere)('the operations of the contract, sent to the server', () => {
  const test = useDatabase();
  let product: Product;
  let earlier: Earlier = {};
  beforeAll(async () => {
    product = await startProduct({
      mongodbUri: test.uri,
      database: test.db.databaseName,
      environment: { SIGN_UP: 'open' },
    });
  });
  afterAll(() => product.stop());

  it.each(rows)('$operation', async (row) => {
    const operation = find(row.operation);
    if (row.before) {
      const token = row.beforeToken === undefined ? undefined : earlier[row.beforeToken];
      const { data } = await product.request(row.before, {}, token);
      if (row.beforeTells) earlier = { ...earlier, ...row.beforeTells(data as never) };
    }
    const variables = variablesOf(row, earlier);
    const data = await (operation.type === 'subscription'
      ? follow(product, operation, earlier, row)
      : send(product, operation, variables, row));
    expect(data).toEqual(row.expected);
    if (row.tells) earlier = { ...earlier, ...row.tells(data as never) };
  });
});

function find(name: string): Operation {
  const operation = due.find((candidate) => candidate.name === name);
  if (!operation) throw new Error(`The contract has no operation ${name}`);
  return operation;
}

const variablesOf = ({ variables }: Pick<Row, 'variables'>, earlier: Earlier): object =>
  typeof variables === 'function' ? variables(earlier) : variables;

async function send(
  product: Product,
  { text }: Operation,
  variables: object,
  { file, visitor, page }: Row,
): Promise<unknown> {
  const answer = file
    ? await product.upload(text, variables, file)
    : await product.request(text, variables, visitor || page ? null : undefined, page);
  expect(answer.errors).toBeUndefined();
  return answer.data;
}

/** @returns the data of the first event, or of the one at `until`; later events are checked here */
async function follow(product: Product, { text }: Operation, earlier: Earlier, row: Row): Promise<unknown> {
  const events = product.subscribe(text, variablesOf(row, earlier));
  const next = async () => {
    const { value } = await events.next();
    expect(value?.errors).toBeUndefined();
    return value?.data;
  };
  try {
    let data = await next();
    while (row.until && !row.until(data as never)) data = await next();
    if (row.afterwards) {
      await product.request(find(row.afterwards.operation).text, variablesOf(row.afterwards, earlier));
      expect(await next()).toEqual(row.afterwards.expected);
    }
    return data;
  } finally {
    await events.return?.();
  }
}
