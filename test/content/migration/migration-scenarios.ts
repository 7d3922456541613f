/** The migration of nodes dies between any two of its steps: another process completes it, and the progress is exact in the end. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { ProductClient } from '../../../harness/product.js';
import type { ProgramScenario, Scenario } from '../../crash/scenario.js';

const COUNT = 220; // three batches

const PAGES = `{ nodes(filter: { type: PAGE }, first: 100) { edges { node {
  title version summary words ... on Page { text }
} } } }`;

interface Page {
  readonly title: string;
  readonly version: number;
  readonly summary: string;
  readonly words: number;
  readonly text: string;
}

interface Work {
  readonly state: string;
  readonly done: number;
  readonly total: number | null;
  readonly failure: string | null;
}

/** The server takes it up by itself. */
async function migrationToItsEnd(product: ProductClient): Promise<Work | null> {
  const { data } = await product.request<{ nodeMigration: { id: string } }>('{ nodeMigration { id } }');
  const follow = 'subscription ($id: ID!) { workChanged(id: $id) { work { state done total failure } } }';
  const events = product.subscribe<{ workChanged: { work: Work } }>(follow, { id: data?.nodeMigration.id });
  for await (const event of events) {
    const { work } = event.data?.workChanged ?? {};
    if (work?.state === 'FINISHED' || work?.state === 'FAILED') return work;
  }
  return null;
}

const migrated: ProgramScenario<null> = {
  failpoints: {
    'content.migration-read': 2,
    'content.migration-written': 2,
    'content.migration-stepped': 2,
  },
  program: 'test/content/migration/migration-program.mjs',
  variables: { COUNT: String(COUNT) },
  seen: null,
  async judge(product, db: Db) {
    const { data } = await product.request<{ nodes: { edges: { node: Page }[] } }>(PAGES);
    const found = data?.nodes.edges.map(({ node }) => node) ?? []; // of old forms and of the present one
    expect(found).toHaveLength(100);
    for (const { title, version, summary, words, text } of found) {
      const number = title.slice('Page '.length);
      expect(text).toBe(`The *text* of page ${number}`);
      expect([version, summary, words]).toEqual([1, `The text of page ${number}`, 5]);
    }
    const finished = { state: 'FINISHED', done: COUNT, total: COUNT, failure: null };
    expect(await migrationToItsEnd(product)).toEqual(finished);
    const nodes = db.collection('cms.nodes');
    expect(await nodes.countDocuments({ form: 2, revision: 1, words: 5 })).toBe(COUNT);
  },
};

export const migrationScenarios = [migrated] as readonly Scenario<unknown>[];
