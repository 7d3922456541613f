/** Imports of networks in memory. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect } from 'vitest';
import { visitOnly } from '../../../src/database/collections/snapshot-batches.js';
import { workKindWith } from '../../../src/models/domain.js';
import { networkImport, startNetworkImport } from '../../../src/models/social/import/network-import.js';
import { personIdOf } from '../../../src/models/social/import/source.js';
import { findPersonViolations, findPostViolations } from '../../../src/models/social/invariants.js';
import { findPerson, type PersonDocument } from '../../../src/models/social/network/person.js';
import { findRejectedRows } from '../../../src/models/system/work/data-import.js';
import { WorkLoop, type WorkLoopOptions } from '../../../src/models/system/work/work-loop.js';
import type { WorkDocument } from '../../../src/models/work.js';
import { lines } from '../../content/import/import-support.js';
import type { TestDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';

const kind = workKindWith(networkImport, { courier: { wake: () => undefined } });

/** The circles of a person, by name, with the ids of the people in them. */
export const circlesOf = ({ circles, following }: PersonDocument): Record<string, string[]> =>
  Object.fromEntries(
    circles.map(({ id, name }) => [
      name,
      following.filter((followed) => followed.circles.includes(id)).map((followed) => followed.id),
    ]),
  );

/** Call next to `useDatabase`. */
export function useNetworkImports(database: TestDatabase) {
  const run = async (id: string, options: Partial<WorkLoopOptions> = {}): Promise<WorkDocument> => {
    const onFault = (error: unknown) => {
      throw error;
    };
    const loop = new WorkLoop(database.db, [kind], {
      holder: randomUUID(),
      now: () => new Date(),
      onFault,
      ...options,
    });
    const done = await loop.run(id);
    if (!done || done === 'BUSY') throw new Error('Nobody has done the work');
    return done;
  };
  const accept = async (file: string, source: string): Promise<WorkDocument> => {
    const bytes = () => Readable.from([Buffer.from(file)]);
    const upload = { id: randomUUID(), fileName: 'network.jsonl', bytes, source, owner: null };
    const started = await startNetworkImport(database.db, testAct(), upload);
    if (!('_id' in started)) throw new Error(started.message);
    return started;
  };
  return {
    run,
    accept,
    importAll: async (rows: readonly object[] | string, source: string) =>
      run((await accept(typeof rows === 'string' ? rows : lines(rows), source))._id),
    rejectsOf: async ({ _id }: WorkDocument) =>
      (await findRejectedRows(database.db, _id, { first: 100 })).edges.map(({ node }) => [
        node.line,
        node.reason,
        node.field ?? null,
      ]),
    personOf: async (source: string, key: string): Promise<PersonDocument> => {
      const found = await findPerson(database.db, personIdOf(source, key));
      if (!found) throw new Error(`There is no ${key}`);
      return found;
    },
    expectSound: async () => {
      for await (const violation of findPersonViolations(database.db, visitOnly)) expect(violation).toBeNull();
      for await (const violation of findPostViolations(database.db, visitOnly)) expect(violation).toBeNull();
    },
  };
}
