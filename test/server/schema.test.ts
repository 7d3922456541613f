import { type GraphQLNamedType, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { accessRuleOf } from '../../src/server/access-rule.js';
import { makeSchema } from '../../src/server/schema.js';

const schema = makeSchema();
const types = Object.values(schema.getTypeMap()).filter(
  (type) => !type.name.startsWith('__') && type.astNode !== undefined,
);
const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];

/** Names of fields that say something about a person, or let somebody in. */
const SENSITIVE = /email|password|secret|token|roles|scopes|address|^(actor|key|link)$/i;

/** Sensitive by their names, and open to whoever got hold of the object, with the reason. */
const openFields: Readonly<Record<string, string>> = {
  'SignedIn.accessToken': 'for whoever has just proven to be the person: the object is in no other answer',
  'SignedIn.accessTokenExpiresAt': 'a moment, beside the token',
  'SignedIn.refreshToken': 'for whoever has just proven to be the person: the object is in no other answer',
  'ShardAdvice.key': 'a shard key: names of fields',
};

interface Described {
  readonly at: string;
  readonly description: string | null | undefined;
}

/** Everything of a type that a client's author reads. */
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
      { at: `${type.name}.${field.name}`, description: field.description },
      // An argument of the type of an input object is described there.
      ...field.args
        .filter((argument) => argument.name !== 'input')
        .map(({ name, description }) => ({ at: `${type.name}.${field.name}(${name}:)`, description })),
    ]),
  ];
}

describe('the schema', () => {
  it('says of every root field who may use it', () => {
    const silent = roots.flatMap((root) =>
      Object.values(root?.getFields() ?? {})
        .filter(({ astNode }) => accessRuleOf(astNode, true) === null)
        .map(({ name }) => `${root?.name}.${name}`),
    );
    expect(silent).toEqual([]);
  });
  it('says of every sensitive field who may read it', () => {
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
  it('tells each rule in the description, for whoever reads the schema', () => {
    const description = (type: string, field: string) => {
      const named = schema.getType(type);
      return isObjectType(named) ? named.getFields()[field]?.description?.split('\n\n').at(-1) : undefined;
    };
    expect(description('Query', 'hitChart')).toBe(
      'For editors and administrators, and for programs with the scope `hits:read`.',
    );
    expect(description('Mutation', 'grantRole')).toBe('For administrators.');
    expect(description('Mutation', 'changePassword')).toBe('For whoever is signed in.');
    expect(description('Mutation', 'signIn')).toBe('For everybody.');
    expect(description('User', 'email')).toBe('For the person themself, and administrators.');
  });
  it('describes everything', () => {
    const all = types.flatMap(partsOf);
    expect(all.length).toBeGreaterThan(100);
    expect(all.filter(({ description }) => !description).map(({ at }) => at)).toEqual([]);
  });
  it('has subscriptions that can all be resumed, with events that tell their place', () => {
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
