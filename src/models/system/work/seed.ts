/** Starting the sample data of a domain, and finding what was started. At most one is filled in at a time: its id is the next number. */
import type { Db } from 'mongodb';
import { InputError } from '../../../shared/errors.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import type { OpenDomain } from '../../domain.js';
import type { Act } from '../../people/audit.js';
import { SEED_TYPE, type Seed, type SeedInput, seedKindName } from '../../seed.js';
import type { HeldWork, WorkDocument } from '../../work.js';
import { findLatestWork, startNumberedWork } from './numbered-work.js';
import { requestUndo } from './work-start.js';

type WithSeed = Pick<OpenDomain, 'name'> & { readonly seed: Seed };

/** The domains that have sample data. */
export const domainsWithSeed = (domains: readonly Pick<OpenDomain, 'name' | 'seed'>[]): WithSeed[] =>
  domains.flatMap(({ name, seed }) => (seed ? [{ name, seed }] : []));

export interface DomainSeed {
  readonly domain: string;
  readonly isEmpty: boolean;
  /** Null if there is none in the last 30 days. */
  readonly latest: WorkDocument | null;
}

/** For each of these domains that has sample data, whether it can be filled in or undone. */
export function findSeeds(db: Db, domains: readonly Pick<OpenDomain, 'name' | 'seed'>[]): Promise<DomainSeed[]> {
  return Promise.all(
    domainsWithSeed(domains).map(async ({ name, seed }) => ({
      domain: name,
      isEmpty: await seed.isEmpty(db),
      latest: await findLatestSeed(db, name),
    })),
  );
}

/** The latest sample data of a domain. */
export const findLatestSeed = (db: Db, domain: string): Promise<WorkDocument | null> =>
  findLatestWork(db, seedKindName(domain));

export type SeedStart = WorkDocument | Refusal<'DomainNotEmpty'> | Refusal<'WorkBusy', { work: WorkDocument }>;

/**
 * Stores that an empty domain is to be filled with sample data. Then call `wake` of the process's `WorkService`.
 * If that was already started, the same work is returned.
 * @param owner null for a command
 * @throws InputError no such domain has sample data
 */
export async function startSeed(
  db: Db,
  act: Act,
  {
    domain,
    owner,
    domains,
  }: { domain: string; owner: string | null; domains: readonly Pick<OpenDomain, 'name' | 'seed'>[] },
): Promise<SeedStart> {
  const { seed } = requireSeed(domains, domain);
  const latest = await findLatestSeed(db, domain);
  if (latest?.state === 'WAITING' || latest?.state === 'RUNNING') return latest;
  if (latest?.state === 'UNDOING')
    return refuse('WorkBusy', 'The sample data is being undone: wait until that has ended', { work: latest });
  if (!(await seed.isEmpty(db))) return notEmpty(domain, latest);
  const input: SeedInput = { actor: act.actor, address: act.address, kept_until: act.keptUntil };
  const audited = { action: 'DOMAIN_SEEDED', subject: domain } as const;
  return startNumberedWork(db, latest, { kind: seed.kind, owner, input }, act, audited);
}

/** @throws InputError */
export function requireSeed(domains: readonly Pick<OpenDomain, 'name' | 'seed'>[], domain: string): WithSeed {
  const known = domainsWithSeed(domains);
  const found = known.find(({ name }) => name === domain);
  if (found) return found;
  throw new InputError(
    'domain',
    `must be one that runs and has sample data: ${known.map(({ name }) => name).join(', ')}`,
  );
}

function notEmpty(domain: string, latest: WorkDocument | null): Refusal<'DomainNotEmpty'> {
  const isSeeded = latest?.state === 'FINISHED' || latest?.state === 'FAILED';
  const remedy = isSeeded
    ? 'Undo its sample data first'
    : 'Only an empty domain can be filled with sample data. Use another database to try it';
  return refuse('DomainNotEmpty', `The domain ${domain} has data. ${remedy}`);
}

/**
 * Marks sample data to be undone, as `requestUndo`.
 * @param id null: the text is not an id of sample data
 */
export async function requestSeedUndo(
  db: Db,
  act: Act,
  id: string | null,
  domains: readonly Pick<OpenDomain, 'name' | 'seed'>[],
): ReturnType<typeof requestUndo> {
  const known = domainsWithSeed(domains);
  const name = known.find(({ seed }) => id?.startsWith(`${seed.kind.name}.`))?.name;
  if (id === null || name === undefined) return refuse('WorkNotFound', 'No sample data has this id');
  const kinds = known.map(({ seed }) => seed.kind);
  const words = { action: 'SEED_UNDONE', noun: 'sample data', subject: name } as const;
  return requestUndo(db, act, { id, type: SEED_TYPE, owner: null, kinds, words });
}

/** Who filled the domain, for what a step records in the audit trail. */
export function actOfSeed({ work }: Pick<HeldWork, 'work'>): Act {
  const { actor, address, kept_until } = work.input as SeedInput;
  return { actor, address, at: work.created_at, keptUntil: kept_until };
}
