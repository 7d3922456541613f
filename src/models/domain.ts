/**
 * What a domain declares: one value per domain, in `src/models/<domain>/domain.ts`. `src/domains.ts` lists the domains; each process
 * opens those that the setting DOMAINS names.
 */
import type { Db, MongoClient } from 'mongodb';
import type { Visited } from '../database/collections/snapshot-batches.js';
import type { Clock, CollectionPlan } from '../database/index.js';
import type { CommentHost } from './commentable.js';
import type { PersonalData, PersonalDataOfDomain } from './personal-data.js';
import { type Seed, type SeedStep, seedKind } from './seed.js';
import type { HeldWork, WorkKind } from './work.js';

/** A violated invariant in the database. */
export interface Violation {
  /** The name of the domain. */
  readonly domain: string;
  readonly invariant: string;
  /** The violating document's id, and the affected part of it. */
  readonly subject: string;
  readonly expected: number;
  readonly found: number;
}

export interface InvariantCheck {
  /** The data being checked. Shown to users. */
  readonly name: string;
  /** The collections whose documents count as visited. A collection listed twice counts twice. */
  readonly collections: readonly Pick<CollectionPlan, 'collectionName'>[];
  /** @param visited called after each batch */
  find(db: Db, visited: Visited): AsyncIterable<Omit<Violation, 'domain'>>;
}

export interface RecoveryTerms {
  readonly db: Db;
  readonly now: Date;
  /** Returns the time that many milliseconds ago. Operations without progress since then may be finished or rolled back. */
  before(ms: number): Date;
}

/** Finishes or rolls back interrupted operations. Safe in any number of processes at once. */
export interface RecoveryWorker {
  /** Shown to users, and the key under which its runs are stored. */
  readonly name: string;
  /** It reads whole collections, so it runs once a day, after the others. No step of a workflow depends on it. */
  readonly isDaily?: boolean;
  /** @returns how many items it found to work on */
  work(terms: RecoveryTerms): Promise<number>;
}

/**
 * How a domain uses pictures (`system/assets`). An asset does not know who shows it, so every domain that stores ids of assets answers
 * these questions. Both get at most ASSETS_ASKED_MAX ids, and need an index on the field that holds them.
 */
export interface AssetUses {
  /** @returns those that a document of the domain refers to, including drafts, old versions and the trash: they are not deleted */
  findUsed(db: Db, ids: readonly string[]): Promise<readonly string[]>;
  /** @returns those that everybody may see now, without signing in */
  findPublic(db: Db, ids: readonly string[], now: Date): Promise<readonly string[]>;
}

export const ASSETS_ASKED_MAX = 1000;

/** When a job runs. */
export interface JobPlan {
  /** Shown to users, and the key under which its runs are stored. */
  readonly name: string;
  readonly everyMs: number;
  /** Whether it is due when a server starts, regardless of its last run. */
  readonly atStart: boolean;
}

/** Periodic work. It may run twice, overlap with itself, or die halfway. */
export interface Job extends JobPlan {
  run(): Promise<void>;
}

/** A value for `/metrics`. */
export interface Metric {
  /** A counter only grows. */
  readonly kind: 'gauge' | 'counter';
  readonly name: string;
  readonly help: string;
  read(): number;
}

/** What the process gives to the domains that it opens. */
export interface Runtime {
  readonly client: MongoClient;
  readonly db: Db;
  readonly now: Clock;
  /** Reports the failure of work in the background. @param subject what it concerned, by kind: `{ import: id }` */
  readonly onFault: (fault: string, error: unknown, subject?: Readonly<Record<string, string>>) => void;
  readonly assetUses: UsesOfDomains;
  /** Of all domains: one that is off still has data of accounts. */
  readonly personalData: readonly PersonalDataOfDomain[];
}

/** What a domain gets when it is opened. */
export interface Opening extends Runtime {
  /** What can be commented on, in all domains that are opened with it. */
  readonly commentHosts: readonly CommentHost[];
}

/** How the domains use assets. */
export interface UsesOfDomains {
  /** Of all domains: the documents of one that is off still refer to their assets. */
  readonly all: readonly AssetUses[];
  /** Of those that run: what another one published is not visible now. */
  readonly running: readonly AssetUses[];
}

/** Names used by earlier releases. What was stored under them is removed. */
type Renamed = { readonly formerNames?: readonly string[] };

export interface RecoveryDeclaration<Services> extends Omit<RecoveryWorker, 'work'>, Renamed {
  work(services: Services, terms: RecoveryTerms): Promise<number>;
}

export interface JobDeclaration<Services> extends JobPlan, Renamed {
  run(services: Services, runtime: Pick<Runtime, 'db' | 'now'>): Promise<void>;
}

export interface MetricDeclaration<Services> extends Omit<Metric, 'read'> {
  read(services: Services): number;
}

export interface WorkKindDeclaration<Services> extends Omit<WorkKind, 'run' | 'undo'> {
  run(held: HeldWork, services: Services): Promise<void>;
  undo?(held: HeldWork, services: Services): Promise<void>;
}

/** A zone for ads on pages of another domain. */
export interface AdPlace {
  /** The hostname of its site. */
  readonly site: string;
  readonly zone: string;
  /** In pixels, for example `300x250`. */
  readonly size: string;
}

/** Sample data for an empty domain: a small world, so that somebody who starts the product sees what it is. */
interface SeedDeclaration<Services> {
  /** Whether nobody has stored anything in the domain. */
  isEmpty(db: Db): Promise<boolean>;
  /** Each step may be repeated after a crash. */
  steps(services: Services): readonly SeedStep[];
}

/**
 * The functions are declared as methods, whose parameter types are checked less strictly, so that domains with services of different
 * types fit into one list. This is safe because only `openDomain` calls them, each with the services of its own domain.
 */
export interface Domain<Settings, Services extends object = object> {
  /** Also the name of its folders, and its name in the setting DOMAINS. */
  readonly name: string;
  readonly collections: readonly CollectionPlan[];
  readonly invariantChecks: readonly InvariantCheck[];
  /** In this order, because each may leave work for the next. */
  readonly recoveryWorkers: readonly RecoveryDeclaration<Services>[];
  readonly jobs: readonly JobDeclaration<Services>[];
  readonly metrics: readonly MetricDeclaration<Services>[];
  /** Its kinds of background work (`work.ts`). */
  readonly workKinds?: readonly WorkKindDeclaration<Services>[];
  /** If its documents refer to assets. */
  readonly assetUses?: AssetUses;
  /** If people can comment on its objects. */
  readonly commentHost?: CommentHost;
  /** What it stores about accounts. */
  readonly personalData?: PersonalData;
  /**
   * Whether the hits of pages at this origin are counted, so that pages of other domains should carry the beacon.
   * @param origin for example `https://example.org`
   */
  countsHits?(db: Db, origin: string): Promise<boolean>;
  /**
   * The zone for ads on the pages of a blog. Null if it has none.
   * @param host of the site on which the blog is shown
   */
  adPlaceOf?(db: Db, blog: string, host: string): Promise<AdPlace | null>;
  /** Its sample data. */
  readonly seed?: SeedDeclaration<Services>;
  /** Completes the database at the start of a server, once the declared indexes are built. */
  prepare?(db: Db): Promise<void>;
  /** Opens the services that live as long as the process. */
  open(opening: Opening, settings: Settings): Promise<Services>;
  /** Finishes their work. */
  close(services: Services): Promise<void>;
}

/** A domain in this process: its workers, jobs and metrics are bound to their services. */
export interface OpenDomain {
  readonly name: string;
  readonly collections: readonly CollectionPlan[];
  readonly services: object;
  readonly recoveryWorkers: readonly RecoveryWorker[];
  readonly jobs: readonly Job[];
  readonly metrics: readonly Metric[];
  /** Includes that of its sample data. */
  readonly workKinds: readonly WorkKind[];
  countsHits(origin: string): Promise<boolean>;
  adPlaceOf(blog: string, host: string): Promise<AdPlace | null>;
  readonly seed?: Seed;
  close(): Promise<void>;
}

async function openDomain<Settings, Services extends object>(
  domain: Domain<Settings, Services>,
  runtime: Opening,
  settings: Settings,
): Promise<OpenDomain> {
  const services = await domain.open(runtime, settings);
  const seed = domain.seed && seedWith(domain.name, domain.seed, services);
  return {
    name: domain.name,
    collections: domain.collections,
    services,
    recoveryWorkers: workersWith(domain, services),
    jobs: domain.jobs.map((job) => ({ ...job, run: () => job.run(services, runtime) })),
    metrics: domain.metrics.map((metric) => ({ ...metric, read: () => metric.read(services) })),
    countsHits: async (origin) => (await domain.countsHits?.(runtime.db, origin)) ?? false,
    adPlaceOf: async (blog, host) => (await domain.adPlaceOf?.(runtime.db, blog, host)) ?? null,
    workKinds: [...(domain.workKinds ?? []).map((kind) => workKindWith(kind, services)), ...(seed ? [seed.kind] : [])],
    ...(seed && { seed }),
    close: () => domain.close(services),
  };
}

/** In the order of the list. */
export async function openDomains<Settings>(
  domains: readonly Domain<Settings>[],
  runtime: Runtime,
  settings: Settings,
): Promise<OpenDomain[]> {
  const open: OpenDomain[] = [];
  const opening: Opening = { ...runtime, commentHosts: domains.flatMap(({ commentHost }) => commentHost ?? []) };
  for (const domain of domains) open.push(await openDomain(domain, opening, settings));
  return open;
}

/** In the reverse order. */
export async function closeDomains(domains: readonly OpenDomain[]): Promise<void> {
  for (const domain of domains.toReversed()) await domain.close();
}

/** The recovery workers of a domain with these services. */
export const workersWith = <Services extends object>(
  { recoveryWorkers }: Pick<Domain<never, Services>, 'recoveryWorkers'>,
  services: Services,
): RecoveryWorker[] =>
  recoveryWorkers.map((worker) => ({ ...worker, work: (terms: RecoveryTerms) => worker.work(services, terms) }));

/** A kind of background work with these services. */
export function workKindWith<Services>(kind: WorkKindDeclaration<Services>, services: Services): WorkKind {
  const { run, undo, ...plan } = kind;
  return {
    ...plan,
    run: (held) => run(held, services),
    ...(undo && { undo: (held: HeldWork) => undo(held, services) }),
  };
}

const seedWith = <Services>(name: string, { isEmpty, steps }: SeedDeclaration<Services>, services: Services): Seed => ({
  isEmpty,
  kind: seedKind(name, steps(services)),
});

/** The kinds of background work of several domains. */
export const workKindsOf = (domains: readonly Pick<OpenDomain, 'workKinds'>[]): WorkKind[] =>
  domains.flatMap(({ workKinds }) => workKinds);

/** The names of all jobs and recovery workers of several domains. */
export const namesOfJobs = (domains: readonly Pick<OpenDomain, 'jobs' | 'recoveryWorkers'>[]): string[] =>
  domains.flatMap(({ jobs, recoveryWorkers }) => [...jobs, ...recoveryWorkers]).map(({ name }) => name);

/** The recovery workers of several domains in the order in which they run. */
export function inOrderOfRuns<Worker extends Pick<RecoveryWorker, 'isDaily'>>(
  domains: readonly { readonly recoveryWorkers: readonly Worker[] }[],
): Worker[] {
  const all = domains.flatMap(({ recoveryWorkers }) => recoveryWorkers);
  return [...all.filter(({ isDaily }) => !isDaily), ...all.filter(({ isDaily }) => isDaily)];
}
