import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CursorSigner, cursorScope, OUTDATED } from '../../src/realtime/cursors/cursor.js';
import { readCursorKeys, rotateCursorKey } from '../../src/realtime/cursors/cursor-key.js';
import { useDatabase } from '../support/database.js';

const database = useDatabase();
const collections = ['hits.daily', 'hits.monthly'];
const scope = cursorScope('hit-chart', 'example.org/');
const position = { time: '6b01a62600000003', index: 7 };
const signer = async () => new CursorSigner(await readCursorKeys(database.db), collections);

describe('a cursor', () => {
  it('is readable by every process on the same database', async () => {
    const cursor = (await signer()).write(scope, position, { entry: 2 });
    expect((await signer()).read(scope, cursor)).toEqual({ position, entry: 2 });
  });

  it('starts with its cluster time, so that it compares with the time of a write', async () => {
    const cursor = (await signer()).write(scope, position);
    expect(cursor.startsWith(`${position.time}.`)).toBe(true);
    expect(cursor > position.time).toBe(true);
    expect(cursor < '6b01a62600000004').toBe(true);
  });

  it('is rejected with any single character changed', async () => {
    const one = await signer();
    const cursor = one.write(scope, position);
    fc.assert(
      fc.property(
        fc.nat({ max: cursor.length - 1 }),
        fc.constantFrom('0', 'f', 'A', '-', '.', ' '),
        (at, character) => {
          const forged = cursor.slice(0, at) + character + cursor.slice(at + 1);
          if (forged === cursor) return;
          // An unknown key id cannot be distinguished from an old key: it leads to a reset.
          expect(() => {
            if (one.read(scope, forged) === OUTDATED) throw Object.assign(new Error(), { code: 'BAD_CURSOR' });
          }).toThrow(expect.objectContaining({ code: 'BAD_CURSOR' }));
        },
      ),
    );
  });

  it.each(['', 'x', '6b01a62600000003.', `6b01a62600000003.${'A'.repeat(44)}x`, '\u0000'.repeat(61), '$where'])(
    'is rejected as %j',
    async (text) => {
      const one = await signer();
      expect(() => one.read(scope, text)).toThrow(expect.objectContaining({ code: 'BAD_CURSOR' }));
    },
  );

  it.each([
    ['feed', cursorScope('top-pages', scope.key)],
    ['subject', cursorScope(scope.feed, 'example.org/other')],
  ])('is rejected by another %s', async (_case, other) => {
    const one = await signer();
    const cursor = one.write(scope, position);
    expect(() => one.read(other, cursor)).toThrow(expect.objectContaining({ code: 'BAD_CURSOR' }));
  });

  it('leads to a reset when the followed collections have changed', async () => {
    const cursor = (await signer()).write(scope, position);
    const other = new CursorSigner(await readCursorKeys(database.db), [...collections, 'comments']);
    expect(other.read(scope, cursor)).toBe(OUTDATED);
  });

  it('survives one rotation of the key, and leads to a reset after the next', async () => {
    const cursor = (await signer()).write(scope, position);
    expect(await rotateCursorKey(database.db)).toBe(2);
    expect((await signer()).read(scope, cursor)).toMatchObject({ position });
    await rotateCursorKey(database.db);
    expect((await signer()).read(scope, cursor)).toBe(OUTDATED);
  });
});
