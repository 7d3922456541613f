/**
 * Exports of personal data: background work that writes all that is stored about an account into one archive.
 *
 * A ZIP cannot be continued in the middle by another process, so an attempt that was interrupted is given up, and the next one begins
 * from the start. Its parts follow those of the attempt before, which are deleted: the file begins with `first_part`, and nothing of two
 * attempts mixes.
 */
import type { Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import type { WorkKindDeclaration } from '../../domain.js';
import type { ErasureRule, PersonalDataOfDomain } from '../../personal-data.js';
import { type HeldWork, type WorkDocument, WorkFailure } from '../../work.js';
import { makeDownloadKey } from '../work/data-export.js';
import { findLatestWork, nextWorkId, seriesOf } from '../work/numbered-work.js';
import { addParts, inParts, removeParts } from '../work/work-file.js';
import { startWork } from '../work/work-start.js';
import { openArchive } from './archive.js';

interface PersonalDataInput {
  readonly account: string;
}

interface Position {
  /** The number of the part that comes next. */
  readonly parts: number;
  readonly attempt: number;
}

/** A process that dies again and again in the middle must not do so forever. */
const ATTEMPTS_MAX = 20;

export const personalDataExport: WorkKindDeclaration<{ readonly personalData: readonly PersonalDataOfDomain[] }> = {
  name: 'personal-data-export',
  type: 'DataExport',

  async run(held, { personalData }) {
    const { account: accountId } = held.work.input as PersonalDataInput;
    await beginAttempt(held);
    const archive = openArchive(held.db, { accountId, personalData, now: held.now() });
    for await (const part of inParts(archive.bytes)) {
      const { items } = archive;
      const { parts, attempt } = positionOf(held.work);
      await held.step(async (session) => {
        await addParts(held.db, held.work._id, parts, [part], held.now(), session);
        const position: Position = { parts: parts + 1, attempt };
        return { position, done: items - held.work.done, counts: { bytes: part.length } };
      });
    }
    await held.step({ total: held.work.done });
  },
};

const positionOf = ({ position }: Readonly<WorkDocument>): Position =>
  (position as Position | undefined) ?? { parts: 0, attempt: 0 };

/** Gives up what an interrupted attempt has written. */
async function beginAttempt(held: HeldWork): Promise<void> {
  const { _id, first_part = 0, bytes = 0, done } = held.work;
  const { parts, attempt } = positionOf(held.work);
  if (attempt >= ATTEMPTS_MAX) throw new WorkFailure(`It was interrupted ${ATTEMPTS_MAX} times`);
  const position: Position = { parts, attempt: attempt + 1 };
  await held.step({ position, done: -done, counts: { bytes: -bytes, first_part: parts - first_part } });
  failpoint('personal-data.attempt-begun');
  if (parts > 0) await removeParts(held.db, _id, parts);
}

/**
 * Starts an export of an account's data. At most one is open: a second call returns it.
 * @throws LimitError the account has too much work that has not ended
 */
export async function startPersonalDataExport(db: Db, account: string, now: Date): Promise<WorkDocument> {
  const series = exportsOf(account);
  const latest = await findLatestWork(db, series);
  if (latest?.open) return latest;
  const input: PersonalDataInput = { account };
  const file = { name: `sextant-${now.toISOString().slice(0, 10)}.zip`, bytes: 0 };
  const id = nextWorkId(series, latest); // guard: of two calls at once, both name the same work
  return startWork(
    db,
    { id, kind: personalDataExport, owner: account, input, file, downloadKey: makeDownloadKey() },
    now,
  );
}

/** The latest export of an account's data. Null if there is none: it is kept for 30 days. */
export const findPersonalDataExport = (db: Db, account: string): Promise<WorkDocument | null> =>
  findLatestWork(db, exportsOf(account));

const exportsOf = (account: string): string => seriesOf(personalDataExport.name, account);

export interface ErasureRuleOfDomain extends ErasureRule {
  readonly domain: string;
}

/** What becomes of the data of deleted accounts, domain by domain. */
export const erasureRulesOf = (personalData: readonly PersonalDataOfDomain[]): ErasureRuleOfDomain[] =>
  personalData.flatMap(({ domain, erasure }) => erasure.map((rule) => ({ domain, ...rule })));
