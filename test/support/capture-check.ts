/** The rules that what was captured must keep. Each violation is one line of text. */
import type { Db } from 'mongodb';
import { declaredCollections } from '../../src/database/index.js';
import { exemptOperations, exemptQueries, foreignCollections, multiDocumentWrites } from '../rules/exemptions.js';
import { type CapturedShape, capturedShapes } from './capture.js';
import { explain, faultsOf } from './explain.js';
import { takeWriteViolations } from './operation.js';
import { unroutedFields } from './write-routing.js';

/** Explains and checks all that was sent to this database. Call before it is dropped. @throws Error names every violation */
export async function checkCaptured(db: Db): Promise<void> {
  const violations = takeWriteViolations().filter(
    (line) => !Object.keys(exemptOperations).some((name) => line.startsWith(name)),
  );
  for (const [text, captured] of capturedShapes(db.databaseName)) {
    violations.push(...routingViolations(text, captured), ...(await planViolations(db, text, captured)));
  }
  if (violations.length > 0)
    throw new Error(`What was sent to MongoDB breaks the rules:\n  ${violations.join('\n  ')}`);
}

export function routingViolations(text: string, { caller, samples: [shape] }: CapturedShape): string[] {
  if (shape.collection in foreignCollections || !shape.write) return [];
  if (shape.write.multi)
    return text in multiDocumentWrites ? [] : [`${text} (${caller}): writes many documents and is not on the list`];
  const declaration = declaredCollections().get(shape.collection);
  if (!declaration) return [`${text} (${caller}): ${shape.collection} is not declared by defineCollection`];
  const missing = unroutedFields(shape, declaration.shardKey);
  return missing.length > 0
    ? [`${text} (${caller}): the filter does not fix the shard key's ${missing.join(', ')}`]
    : [];
}

export async function planViolations(db: Db, text: string, { caller, samples }: CapturedShape): Promise<string[]> {
  const allowed: readonly string[] = exemptQueries[text]?.allow ?? [];
  const violations = new Set<string>();
  for (const shape of samples) {
    if (!shape || shape.collection in foreignCollections) continue;
    const plan = await explain(db, shape);
    for (const fault of faultsOf(plan).filter((fault) => !allowed.includes(fault))) {
      const figures = `${plan.stages.join(' < ')}, examined ${plan.documentsExamined}, returned ${plan.returned}`;
      violations.add(`${text} (${caller}): ${fault}: ${figures}`);
    }
  }
  return [...violations];
}
