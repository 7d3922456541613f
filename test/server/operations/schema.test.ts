import {
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { accessRuleOf } from '../../../src/server/operations/access-rule.js';
import { makeSchema } from '../../../src/server/operations/schema.js';

const schema = makeSchema();
const types = Object.values(schema.getTypeMap()).filter(
  (type) => !type.name.startsWith('__') && type.astNode !== undefined,
);
const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];

/** Names of fields with personal data or credentials. */
const SENSITIVE = /email|password|secret|token|roles|scopes|address|^(actor|key|link)$/i;

/** Fields with sensitive names that are readable by anyone who can reach the object, with the reason. */
const openFields: Readonly<Record<string, string>> = {
  'SignedIn.accessToken': 'for the user who has just authenticated: the object is in no other response',
  'SignedIn.accessTokenExpiresAt': 'a time, next to the token',
  'SignedIn.refreshToken': 'for the user who has just authenticated: the object is in no other response',
  'ShardAdvice.key': 'a shard key: field names',
};

interface Described {
  readonly at: string;
  readonly description: string | null | undefined;
}

/** Everything of a type that client developers read. */
function partsOf(type: GraphQLNamedType): Described[] {
  const isRoot = roots.some((root) => root === type);
  const whole = isRoot ? [] : [{ at: type.name, description: type.description }];
  if (isEnumType(type))
    return [
      ...whole,
      ...type.getValues().map(({ name, description }) => ({ at: `${type.name}.${name}`, description })),
    ];
  if (isInputObjectType(type))
    return [
      ...whole,
      ...Object.values(type.getFields()).map(({ name, description }) => ({ at: `${type.name}.${name}`, description })),
    ];
  if (!isObjectType(type) && !isInterfaceType(type)) return whole;
  return [
    ...whole,
    ...Object.values(type.getFields()).flatMap((field) => [
      // Of the SDL: in the schema, the rule of a protected field is part of its description.
      { at: `${type.name}.${field.name}`, description: field.astNode?.description?.value },
      // The type of an `input` argument has the descriptions.
      ...field.args
        .filter((argument) => argument.name !== 'input')
        .map(({ name, description }) => ({ at: `${type.name}.${field.name}(${name}:)`, description })),
    ]),
  ];
}

const isConnection = (name: string): boolean => name.endsWith('Connection');

/** Whether the field returns many objects. The edges of a connection count where the connection is asked for. */
function isListOfObjects(owner: string, { type }: GraphQLField<unknown, unknown>): boolean {
  const named = getNamedType(type);
  if (!isCompositeType(named)) return false;
  return isConnection(named.name) || (isListType(getNullableType(type)) && !isConnection(owner));
}

describe('the schema', () => {
  it('defines for every root field who may use it', () => {
    const silent = roots.flatMap((root) =>
      Object.values(root?.getFields() ?? {})
        .filter(({ astNode }) => accessRuleOf(astNode, true) === null)
        .map(({ name }) => `${root?.name}.${name}`),
    );
    expect(silent).toEqual([]);
  });
  it('defines for every sensitive field who may read it', () => {
    const fields = types
      .filter(isObjectType)
      .flatMap((type) => Object.values(type.getFields()).map((field) => ({ at: `${type.name}.${field.name}`, field })));
    const sensitive = fields.filter(({ at, field }) => SENSITIVE.test(field.name) && !(at in openFields));
    const silent = sensitive.filter(({ field }) => accessRuleOf(field.astNode, false) === null).map(({ at }) => at);
    expect(silent).toEqual([]);
    expect(sensitive.map(({ at }) => at)).toEqual(
      expect.arrayContaining(['User.email', 'User.roles', 'CreatedApiKey.key', 'Invited.token', 'AuditEntry.address']),
    );
    const needless = Object.keys(openFields).filter((name) => !fields.some(({ at }) => at === name));
    expect(needless).toEqual([]);
  });
  it('includes each rule in the description', () => {
    const description = (type: string, field: string) => {
      const named = schema.getType(type);
      return isObjectType(named) ? named.getFields()[field]?.description?.split('\n\n').at(-1) : undefined;
    };
    expect(description('Query', 'hitChart')).toBe(
      'For editors and administrators, and for programs with the scope `hits:read`.',
    );
    expect(description('Mutation', 'grantRole')).toBe('For administrators.');
    expect(description('Mutation', 'changePassword')).toBe('For signed-in users.');
    expect(description('Mutation', 'signIn')).toBe('For everyone.');
    expect(description('User', 'email')).toBe('For the user and administrators.');
  });
  it('describes everything', () => {
    const all = types.flatMap(partsOf);
    expect(all.length).toBeGreaterThan(100);
    expect(all.filter(({ description }) => !description).map(({ at }) => at)).toEqual([]);
  });
  it('bounds every list of objects: without @listSize, it counts as one in the cost of an operation', () => {
    const unbounded = types
      .filter((type) => isObjectType(type) || isInterfaceType(type))
      .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
      .filter(({ type, field }) => isListOfObjects(type.name, field))
      .filter(({ field }) => !field.astNode?.directives?.some(({ name }) => name.value === 'listSize'))
      .map(({ type, field }) => `${type.name}.${field.name}`);
    expect(unbounded).toEqual([]);
  });
  it('has only resumable subscriptions, with a cursor in each event', () => {
    for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {})) {
      expect(
        field.args.map(({ name }) => name),
        field.name,
      ).toContain('after');
      const type = schema.getType(String(field.type).replace('!', ''));
      expect(isObjectType(type) || isInterfaceType(type), field.name).toBe(true);
      if (isObjectType(type) || isInterfaceType(type))
        expect(
          type.getInterfaces().map(({ name }) => name),
          field.name,
        ).toContain('LiveEvent');
    }
  });
});
