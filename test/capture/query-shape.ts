/** Commands reduced to what determines their plan: collection, fields, operators, sort. Equal shapes have equal texts. */
import type { Document } from 'mongodb';
import { declarationOf } from '../../src/database/index.js';

/** A query or the filter of a write, with one set of actual values. */
export interface QueryShape {
  /** The text for messages and exemption lists, for example `find hits.daily {_id: {$in}}`. */
  readonly text: string;
  readonly collection: string;
  /** The command to explain. */
  readonly command: Document;
  /** For writes: whether the statement may change more than one document. */
  readonly write?: { readonly filter: Document; readonly multi: boolean };
}

/** The shapes in a command: one for a query, one per distinct statement of a bulk write. */
export function shapesOf(name: string, command: Document): QueryShape[] {
  const collection = String(command[name]);
  switch (name) {
    case 'find':
      return [
        shape(
          name,
          collection,
          command.filter,
          pick(command, 'filter', 'sort', 'projection', 'limit', 'let', 'hint', 'collation'),
        ),
      ];
    case 'count':
    case 'distinct':
      return [shape(name, collection, command.query, pick(command, 'query', 'key', 'hint', 'collation'))];
    case 'aggregate':
      return explainable(command) ? [pipelineShape(collection, command)] : [];
    case 'update':
      return (command.updates as Document[]).map((update) =>
        shape(name, collection, update.q, { updates: [update] }, { filter: update.q, multi: update.multi === true }),
      );
    case 'delete':
      return (command.deletes as Document[]).map((statement) =>
        shape(
          name,
          collection,
          statement.q,
          { deletes: [statement] },
          { filter: statement.q, multi: statement.limit === 0 },
        ),
      );
    case 'findAndModify':
      return [
        shape(
          name,
          collection,
          command.query,
          pick(command, 'query', 'sort', 'update', 'remove', 'fields', 'upsert', 'arrayFilters'),
          {
            filter: command.query,
            multi: false,
          },
        ),
      ];
    default:
      return [];
  }
}

function shape(
  name: string,
  collection: string,
  filter: Document | undefined,
  rest: Document,
  write?: QueryShape['write'],
): QueryShape {
  const sort = rest.sort && Object.keys(rest.sort).length > 0 ? ` sort ${outline(rest.sort, true)}` : '';
  const verb = write?.multi ? `${name} many` : name;
  const key = name === 'distinct' ? ` ${rest.key} of` : '';
  const base = { text: `${verb}${key} ${declaredName(collection)} ${outline(filter ?? {})}${sort}`, collection };
  const command = { [name]: collection, ...rest };
  return write ? { ...base, command, write } : { ...base, command };
}

function pipelineShape(collection: string, command: Document): QueryShape {
  const isSegmented = declarationOf(collection)?.isSegmented === true;
  const names = (command.pipeline as Document[]).map((stage) => {
    const [operator = ''] = Object.keys(stage);
    return operator === '$match' || operator === '$sort'
      ? `${operator} ${outline(stage[operator], operator === '$sort')}`
      : operator;
  });
  // Any number of segments is joined in the same way.
  const stages = names.filter((name, at) => !(isSegmented && name === '$unionWith' && names[at - 1] === name));
  return {
    text: `aggregate ${declaredName(collection)} ${stages.join(', ')}`,
    collection,
    command: { aggregate: collection, ...pick(command, 'pipeline', 'let', 'hint', 'collation'), cursor: {} },
  };
}

/** Segments of one collection are queried in the same way. */
const declaredName = (collection: string): string => declarationOf(collection)?.collectionName ?? collection;

/** Change streams read the oplog, statistics read no documents, and writing pipelines cannot be explained with their execution. */
function explainable(command: Document): boolean {
  const unexplained = ['$changeStream', '$collStats', '$indexStats', '$currentOp', '$listSessions', '$out', '$merge'];
  const stages = (command.pipeline as Document[]).flatMap((stage) => Object.keys(stage));
  return typeof command.aggregate === 'string' && !stages.some((stage) => unexplained.includes(stage));
}

/**
 * Field names and operators without the values: `{site, time: {$gte, $lt}}`. Sort directions are kept where they matter, and whether a
 * field exists: an index may serve only one of the two.
 */
function outline(value: unknown, keepValues = false): string {
  if (Array.isArray(value)) {
    const different = [...new Set(value.filter(isPlain).map((item) => outline(item)))]; // the clauses of $or and $and
    return different.length > 0 ? `[${different.join(', ')}]` : '';
  }
  if (!isPlain(value)) return '';
  const fields = Object.entries(value).map(([key, inner]) => {
    const below =
      key === '$exists' || (keepValues && typeof inner !== 'object')
        ? String(inner)
        : key === '_id' && !hasOperator(inner)
          ? ''
          : outline(inner);
    return below ? `${key}: ${below}` : key;
  });
  return `{${fields.join(', ')}}`;
}

/** Whether it is `{$gt: …}` rather than a value to compare with. */
export function hasOperator(value: unknown): boolean {
  return isPlain(value) && Object.keys(value).some((key) => key.startsWith('$'));
}

function isPlain(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

const pick = (command: Document, ...names: string[]): Document =>
  Object.fromEntries(names.filter((name) => command[name] !== undefined).map((name) => [name, command[name]]));
