import { Timestamp } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { type ChangeEvent, changedDocument } from '../../src/database/index.js';

const before = {
  _id: 'a',
  state: 'ACTIVE',
  items: [
    { sku: 'A', qty: 1 },
    { sku: 'B', qty: 2 },
  ],
  extra: { x: 1 },
};
const update = (parts: Partial<ChangeEvent>): ChangeEvent => ({
  collection: 'carts',
  operation: 'update',
  documentKey: { _id: 'a' },
  time: new Timestamp({ t: 1, i: 1 }),
  ...parts,
});

describe('a document after an event', () => {
  it.each<[string, Partial<ChangeEvent>, object]>([
    ['a set field', { updated: { state: 'PENDING' } }, { ...before, state: 'PENDING' }],
    ['a removed field', { removed: ['extra'] }, { _id: 'a', state: 'ACTIVE', items: before.items }],
    ['a field in a new subdocument', { updated: { 'new.deep': 3 } }, { ...before, new: { deep: 3 } }],
    [
      'a changed item',
      { updated: { 'items.1.qty': 7 } },
      { ...before, items: [before.items[0], { sku: 'B', qty: 7 }] },
    ],
    [
      'an added item',
      { updated: { 'items.2': { sku: 'C', qty: 1 } } },
      { ...before, items: [...before.items, { sku: 'C', qty: 1 }] },
    ],
    ['removed items', { truncated: [{ field: 'items', newSize: 1 }] }, { ...before, items: [before.items[0]] }],
    ['the whole new document', { operation: 'replace', document: { _id: 'a' } }, { _id: 'a' }],
  ])('has %s', (_case, parts, after) => {
    const copy = structuredClone(before);
    expect(changedDocument(before, update(parts))).toEqual(after);
    expect(before).toEqual(copy); // it may have been sent
  });

  it('shares with the document before what the event does not touch', () => {
    const after = changedDocument(before, update({ updated: { 'items.1.qty': 7 } }));
    expect(after.items[0]).toBe(before.items[0]);
    expect(after.extra).toBe(before.extra);
  });

  it('leaves an event alone that put a subdocument there', () => {
    const added = update({ updated: { extra: { x: 2 } } });
    const after = changedDocument(changedDocument(before, added), update({ updated: { 'extra.x': 3 } }));
    expect(after.extra).toEqual({ x: 3 });
    expect(added.updated).toEqual({ extra: { x: 2 } });
  });
});
