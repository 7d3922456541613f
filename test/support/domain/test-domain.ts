/** A domain's part of the tests that cover the whole project. */
import type { NarrowPages } from '../../browser/support/narrow-pages.js';
import type { PlanFault } from '../../capture/explain.js';
import type { Row } from '../../contract/row.js';
import type { Scenario } from '../../crash/scenario.js';
import type { AuditDecisions } from './audit-decisions.js';
import type { MutationStep } from './mutation-step.js';
import type { TextPlaces } from './text-places.js';

/**
 * A domain leaves out what it does not have. The exemptions are part of every test's setup; the rest is loaded on demand, because it
 * needs the test runner or the product's code.
 */
export interface TestDomain {
  /** The name of its folders, and of its operations' file in the contract. */
  readonly name: string;
  readonly exemptions?: Exemptions;
  /** A scenario for each failpoint of the domain. */
  crashScenarios?(): Promise<readonly Scenario<unknown>[]>;
  /** A row for each operation of the contract, in the order in which they run. */
  contractRows?(): Promise<readonly Row[]>;
  /** Operations of the contract that need not validate yet, each with the reason. */
  readonly laterOperations?: Reasons;
  /** Every mutation of the domain, in the order in which they run. */
  mutationSteps?(): Promise<readonly MutationStep[]>;
  /** Whether each mutation of the domain is in the audit trail. */
  auditDecisions?(): Promise<AuditDecisions>;
  /** Every text in the arguments of its mutations. */
  textPlaces?(): Promise<TextPlaces>;
  /** A row for each route of its pages. */
  narrowPages?(): Promise<NarrowPages>;
  /** Required for every domain that the setting DOMAINS may leave out. */
  readonly signs?: Signs;
}

/** What shows that a server runs a domain: a server without the domain has none of it. */
export interface Signs {
  /** Some of its fields of `Query`, `Mutation` and `Subscription`. */
  readonly rootFields: readonly string[];
  /** One of its types that implement `Node`. */
  readonly node?: string;
  /** One of its subjects of `shardAdvice`. */
  readonly shardSubject?: string;
  /** A path that it serves, with a description for test titles, and one of its metrics. */
  readonly route?: { readonly what: string; readonly path: string; readonly metric: string };
}

/** The reason of each exemption. */
export type Reasons = Readonly<Record<string, string>>;

export interface PlanExemption {
  readonly allow: readonly PlanFault[];
  readonly reason: string;
}

export interface Exemptions {
  /** Query shapes whose plan may have these defects. */
  readonly queries?: Readonly<Record<string, PlanExemption>>;
  /** Writes to many documents: a sharded cluster sends each to every shard, and a crash may leave it partly done. */
  readonly multiDocumentWrites?: Reasons;
  /**
   * Writes to one document that name the shard key only on a sharded cluster. Each is built by a function that knows the deployment,
   * and whose test shows that the other form names the whole key.
   */
  readonly shardKeyOnlyWhereSharded?: Reasons;
  /** Collections that must not be sharded, so their unique indexes need not start with a shard key. */
  readonly unshardedCollections?: Reasons;
  /** Operations that write twice without a failpoint in between. */
  readonly operations?: Reasons;
  /** Callers whose writes are not steps of the operation in which they started. */
  readonly writesBesideOperations?: Reasons;
}
