import { type GraphQLNamedType, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { makeSchema } from '../../src/server/schema.js';

const schema = makeSchema();
const types = Object.values(schema.getTypeMap()).filter(
  (type) => !type.name.startsWith('__') && type.astNode !== undefined,
);
const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];

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
        .filter(({ astNode }) => !astNode?.directives?.some(({ name }) => ['auth', 'public'].includes(name.value)))
        .map(({ name }) => `${root?.name}.${name}`),
    );
    expect(silent).toEqual([]);
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
