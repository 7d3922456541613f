/** The cost of a chart in addition to its weight (`@chartCost` of the schema), derived from its time range and unit. */
import { type FieldNode, type GraphQLField, type ValueNode, valueFromASTUntyped } from 'graphql';
import { countSlots, slotOf, timeUnits } from '../../models/analytics/hits/hit-slot.js';
import { parseDateTime, parseDuration } from '../../shared/time.js';
import type { Variables } from '../request/parameters.js';
import { directiveOf, intOf, textOf } from './cost-directive.js';

/** @returns a function from variables to points; null for a field that is not a chart */
export function prepareChartCost(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): ((variables: Variables) => number) | null {
  const directive = directiveOf(field, 'chartCost');
  const [perPoint, max] = [intOf(directive, 'slotsPerPoint'), intOf(directive, 'max')];
  const [range, unit] = [textOf(directive, 'range'), textOf(directive, 'unit')];
  if (perPoint === undefined || max === undefined || range === undefined || unit === undefined) return null;
  const rangeOf = argumentReader(field, node, range);
  const unitOf = argumentReader(field, node, unit);
  return (variables) => Math.ceil(Math.min(max, countSlotsOf(rangeOf(variables), unitOf(variables))) / perPoint);
}

/** Reads an argument from its literal or its variable, otherwise its default. */
function argumentReader(field: GraphQLField<unknown, unknown>, node: FieldNode, name: string) {
  const given = node.arguments?.find((argument) => argument.name.value === name)?.value;
  const fallback = field.astNode?.arguments?.find((argument) => argument.name.value === name)?.defaultValue;
  const read = (value: ValueNode | undefined, variables: Variables): unknown =>
    value && valueFromASTUntyped(value, { ...variables });
  return (variables: Variables): unknown => read(given, variables) ?? read(fallback, {});
}

/** @returns 0 for an invalid time range: the resolver rejects it */
function countSlotsOf(range: unknown, unitName: unknown): number {
  const unit = timeUnits.find((known) => known === unitName);
  const [from, to] = typeof range === 'string' ? [0, parseDuration(range)?.ms ?? 0] : rangeOf(range);
  return unit !== undefined && from < to ? countSlots(unit, slotOf(unit, from), to) : 0;
}

function rangeOf(value: unknown): readonly [from: number, to: number] {
  const { from, to } = Object(value) as { from?: unknown; to?: unknown };
  const [first, last] = [from, to].map((moment) => (typeof moment === 'string' ? parseDateTime(moment) : null));
  return first && last ? [first.getTime(), last.getTime()] : [0, 0];
}
