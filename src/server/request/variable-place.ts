/**
 * Where the variables of an operation go. Errors name the argument that is wrong, as `input.title`, however an operation names its
 * variables: a form can then show the error where it belongs.
 */
import {
  type DefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
  type VariableDefinitionNode,
  visit,
} from 'graphql';

/** As long as the documents are cached. */
const places = new WeakMap<VariableDefinitionNode, string>();

/** Call it once per operation. @param definitions of the document: fragments use the variables, too */
export function placeVariables(operation: OperationDefinitionNode, definitions: readonly DefinitionNode[]): void {
  const { variableDefinitions = [] } = operation;
  if (variableDefinitions.length === 0) return;
  const found = new Map<string, string>();
  const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  for (const definition of [operation, ...fragments])
    visit(definition, {
      VariableDefinition: () => false,
      Argument: ({ name, value }) => {
        notePlaces(value, name.value, found);
        return false;
      },
    });
  for (const definition of variableDefinitions) {
    const place = found.get(definition.variable.name.value);
    if (place !== undefined) places.set(definition, place);
  }
}

/** The first place of each variable. @param found by name */
function notePlaces(value: ValueNode, place: string, found: Map<string, string>): void {
  if (value.kind === Kind.VARIABLE) {
    if (!found.has(value.name.value)) found.set(value.name.value, place);
  } else if (value.kind === Kind.OBJECT)
    for (const field of value.fields) notePlaces(field.value, `${place}.${field.name.value}`, found);
  else if (value.kind === Kind.LIST)
    for (const [index, item] of value.values.entries()) notePlaces(item, `${place}.${index}`, found);
}

/** The path of the argument, or of the part of it, that a variable fills. Its name, if nothing is known of it. */
export const placeOf = (definition: VariableDefinitionNode): string =>
  places.get(definition) ?? definition.variable.name.value;
