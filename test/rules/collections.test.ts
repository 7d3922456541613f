/** Rules for the declared collections. */
import { describe, expect, it } from 'vitest';
import { declaredCollections } from '../../src/database/index.js';
import { allDomains, collectionsOf } from '../../src/domains.js';
import { unshardableIndexes } from '../capture/write-routing.js';
import { unshardedCollections } from './exemptions.js';

const collections = [...declaredCollections().values()];

describe('the declared collections', () => {
  it('exist', () => {
    expect(collections.map(({ collectionName }) => collectionName)).toEqual(
      expect.arrayContaining(['hits.daily', 'hits.monthly', 'log.events', 'leases', 'users']),
    );
  });

  it('belong to exactly one domain each', () => {
    const listed = collectionsOf(allDomains).map(({ collectionName }) => collectionName);
    expect(listed.toSorted()).toEqual(collections.map(({ collectionName }) => collectionName).toSorted());
  });

  it('have unique indexes that start with the shard key, or stay unsharded', () => {
    const wrong = collections
      .filter(({ collectionName }) => !(collectionName in unshardedCollections))
      .flatMap((collection) =>
        unshardableIndexes(collection as never).map((fields) => `${collection.collectionName}: ${fields}`),
      );
    expect(wrong).toEqual([]);
  });

  it('stay unsharded only where they must', () => {
    const needless = Object.keys(unshardedCollections).filter((name) => {
      const collection = collections.find(({ collectionName }) => collectionName === name);
      return !collection || unshardableIndexes(collection as never).length === 0;
    });
    expect(needless).toEqual([]);
  });
});
