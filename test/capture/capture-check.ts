/** The rules for captured commands. Each violation is one line of text. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db, Document } from 'mongodb';
import { inject } from 'vitest';
import { declarationOf } from '../../src/database/index.js';
import { exemptOperations, exemptQueries, multiDocumentWrites, shardKeyOnlyWhereSharded } from '../rules/exemptions.js';
import { type CapturedShape, capturedDatabases, capturedShapes, takeUnwatchedCommands } from './capture.js';
import type { CaptureSummary } from './capture-report.js';
import { explain, faultsOf } from './explain.js';
import { takeWriteViolations } from './operation.js';
import type { QueryShape } from './query-shape.js';
import { unroutedFields } from './write-routing.js';

const usedExemptions = new Set<string>();

/** Explains and checks everything sent to this database. Call before the database is dropped. @throws Error names every violation */
export async function checkCaptured(db: Db): Promise<void> {
  const violations = takeWriteViolations().filter((line) => !isExemptOperation(line));
  const names = capturedDatabases().filter((name) => name === db.databaseName || isRotatedDatabase(db, name));
  const shapes = new Set<string>();
  for (const name of names) {
    for (const command of takeUnwatchedCommands(name)) {
      violations.push(`${command}: sent by a driver method that the capture does not watch`);
    }
    for (const [text, captured] of capturedShapes(name)) {
      shapes.add(text);
      violations.push(...routingViolations(text, captured));
      violations.push(...(await planViolations(db.client.db(name), text, captured)));
    }
  }
  const summary: CaptureSummary = { shapes: [...shapes], usedExemptions: [...usedExemptions] };
  await writeFile(join(inject('captureFolder'), `${randomUUID()}.json`), JSON.stringify(summary));
  if (violations.length > 0) throw new Error(`Commands sent to MongoDB break the rules:\n  ${violations.join('\n  ')}`);
}

/** @param line starts with the operation's name */
function isExemptOperation(line: string): boolean {
  const name = Object.keys(exemptOperations).find((operation) => line.startsWith(`${operation}: `));
  if (name) usedExemptions.add(name);
  return name !== undefined;
}

/** A log that rotates databases has one database per period. */
const isRotatedDatabase = (db: Db, name: string): boolean => name.startsWith(`${db.databaseName}_log_`);

/** A segment that has aged out can no longer be queried. The same shape is explained on existing ones. */
async function asksDroppedSegment(db: Db, { collection, command }: QueryShape): Promise<boolean> {
  if (!declarationOf(collection)?.isSegmented) return false;
  const joined = ((command.pipeline ?? []) as Document[]).flatMap(({ $unionWith }) =>
    $unionWith ? [$unionWith.coll] : [],
  );
  const asked = [collection, ...joined];
  const there = await db.listCollections({ name: { $in: asked } }, { nameOnly: true }).toArray();
  return there.length < new Set(asked).size;
}

export function routingViolations(text: string, { caller, samples: [shape] }: CapturedShape): string[] {
  if (!shape.write) return [];
  if (shape.write.multi) {
    usedExemptions.add(text);
    return text in multiDocumentWrites ? [] : [`${text} (${caller}): writes many documents and is not exempt`];
  }
  const declaration = declarationOf(shape.collection);
  if (!declaration) return [`${text} (${caller}): ${shape.collection} is not declared by defineCollection`];
  const missing = unroutedFields(shape, declaration.shardKey);
  if (missing.length > 0 && text in shardKeyOnlyWhereSharded) {
    usedExemptions.add(text);
    return [];
  }
  return missing.length > 0
    ? [`${text} (${caller}): the filter does not fix the shard key's ${missing.join(', ')}`]
    : [];
}

const remedy = 'Declare an index that serves it, or exempt it with the reason in test/<domain>/lists/exemptions.ts';

export async function planViolations(db: Db, text: string, { caller, samples }: CapturedShape): Promise<string[]> {
  const allowed: readonly string[] = exemptQueries[text]?.allow ?? [];
  const violations = new Set<string>();
  for (const shape of samples) {
    if (!shape || (await asksDroppedSegment(db, shape))) continue;
    const plan = await explain(db, shape);
    for (const fault of faultsOf(plan)) {
      if (allowed.includes(fault)) {
        usedExemptions.add(text);
        continue;
      }
      const figures = `${plan.stages.join(' < ')}, examined ${plan.documentsExamined}, returned ${plan.returned}`;
      violations.add(`${text} (${caller}): ${fault}: ${figures}. ${remedy}`);
    }
  }
  return [...violations];
}
