/** The list of error codes exists three times, for three audiences: all must agree. */
import { readFileSync } from 'node:fs';
import { isEnumType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { makeSchema } from '../../../src/server/operations/schema.js';
import { layerCodes } from '../../../src/server/request/failure.js';
import { errorCodes } from '../../../src/shared/errors.js';

const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
const documented = [...page.matchAll(/^\| `([A-Z_]+)` \| ([^|]+) \|/gm)].map(([, code, meaning]) => [
  code,
  meaning?.trim(),
]);

describe('the list of error codes', () => {
  it('is the same in the code and in the documentation, with the same meanings', () => {
    const ours = documented.filter(([code]) => !layerCodes.some((known) => known === code));
    expect(ours).toEqual(Object.entries(errorCodes));
  });
  it('is the same in the code and in the schema', () => {
    const type = makeSchema().getType('ErrorCode');
    expect(isEnumType(type) && type.getValues().map(({ name }) => name)).toEqual(Object.keys(errorCodes));
  });
  it('also names the codes of the GraphQL layer', () => {
    const others = documented.map(([code]) => code).filter((code) => !Object.hasOwn(errorCodes, code ?? ''));
    expect(others).toEqual([...layerCodes]);
  });
});
