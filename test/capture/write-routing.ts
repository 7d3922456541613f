/** Whether a sharded cluster can route a write to one shard. */
import type { CollectionDeclaration } from '../../src/database/index.js';
import { hasOperator, type QueryShape } from './query-shape.js';

/** @returns the fields of the shard key that a single-document write's filter does not fix; empty for other commands */
export function unroutedFields(shape: QueryShape, shardKey: CollectionDeclaration<never>['shardKey']): string[] {
  if (!shape.write || shape.write.multi) return [];
  const { filter } = shape.write;
  const clauses = [filter, ...((filter.$and as (typeof filter)[] | undefined) ?? [])];
  const isFixed = (field: string) =>
    clauses.some((clause) => field in clause && (!hasOperator(clause[field]) || '$eq' in clause[field]));
  return Object.keys(shardKey).filter((field) => !isFixed(field));
}

/** @returns names of unique indexes that do not start with the shard key: the collection could not be sharded by it */
export function unshardableIndexes({ indexes, shardKey }: CollectionDeclaration<never>): string[] {
  return indexes
    .filter(({ unique }) => unique)
    .map(({ key }) => Object.keys(key as Record<string, unknown>))
    .filter((fields) => Object.keys(shardKey).some((field, at) => fields[at] !== field))
    .map((fields) => fields.join(', '));
}
