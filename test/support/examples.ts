/** The examples of a domain in GraphiQL. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kind, type OperationDefinitionNode, parse, print } from 'graphql';
import { expect } from 'vitest';
import { projectRoot } from '../../harness/project-root.js';
import type { TestServer } from './server.js';

export type Answer = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
export type Values = Readonly<Record<string, unknown>>;

/** What later examples need, by the operation whose answer tells it. */
export type Told = Readonly<Record<string, (answer: Answer) => Values>>;

/** Of a refusal. */
const REFUSED = /"message"/;

/** @param name of the folder @returns all operations, in their order */
export function operationsOf(name: string): OperationDefinitionNode[] {
  const folder = join(projectRoot, 'web/graphiql/examples', name);
  return readdirSync(folder)
    .toSorted()
    .flatMap((file) => parse(readFileSync(join(folder, file), 'utf8')).definitions)
    .filter((definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION);
}

/** @param values of variables; it gets those that it declares @returns the first event of a subscription; fails if it is refused */
export async function askExample(server: TestServer, operation: OperationDefinitionNode, values: Values) {
  const name = operation.name?.value;
  const declared = operation.variableDefinitions?.map(({ variable }) => variable.name.value) ?? [];
  const variables = Object.fromEntries(declared.map((each) => [each, values[each]]));
  if (operation.operation === 'subscription') {
    const client = server.connect(server.token);
    const events = client.iterate<Answer>({ query: print(operation), variables });
    const { value } = await events.next();
    await events.return?.();
    await client.dispose();
    expect(value?.errors, name).toBeUndefined();
    return (value?.data ?? {}) as Answer;
  }
  const { data, errors } = await server.request<Answer>(print(operation), variables);
  expect(errors, name).toBeUndefined();
  expect(JSON.stringify(data), name).not.toMatch(REFUSED);
  return data ?? {};
}

/**
 * Runs the examples of a domain one after the other, as somebody would who tries them.
 * @param given values of variables that no example tells
 * @returns the answers, by the name of the operation
 */
export async function runExamples(server: TestServer, domain: string, given: Values, told: Told) {
  let values = given;
  const answers: Record<string, Answer> = {};
  for (const operation of operationsOf(domain)) {
    const name = operation.name?.value ?? '';
    const answer = await askExample(server, operation, values);
    answers[name] = answer;
    values = { ...values, ...told[name]?.(answer) };
  }
  return answers;
}
