import { beforeEach, describe, expect, it } from 'vitest';
import {
  type Autosave,
  begin,
  beginWith,
  edit,
  isUnsaved,
  type Stored,
  succeed,
} from '../../web/src/content/saving/autosave.js';
import {
  ALIVE_MS,
  type CopyStorage,
  keepCopy,
  removeOldCopies,
  resume,
  takeCopy,
} from '../../web/src/content/saving/copies.js';

const stored: Stored = { nonce: 'n1', version: 1, fields: { title: 'Hello', text: 'One' }, isDraft: true, by: null };
const here = { viewerId: 'ann', nodeId: 'post', windowId: 'w1' };
const elsewhere = { ...here, windowId: 'w2' };
const typed = (text: string): Autosave => edit(beginWith(stored), { text }, 0);

let kept: Map<string, string>;
let storage: CopyStorage;
beforeEach(() => {
  kept = new Map();
  storage = {
    get length() {
      return kept.size;
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
});

describe('a copy of unsaved text', () => {
  it('is there after a reload, as it was', () => {
    keepCopy(storage, here, typed('Two'), 0);
    const state = resume(stored, takeCopy(storage, here, 1), 1);
    expect(state).toMatchObject({ stored, fields: { title: 'Hello', text: 'Two' }, heard: null });
  });

  it('is removed when the server has the text', () => {
    const sent = begin(typed('Two'), 'k1', 0);
    keepCopy(storage, here, sent, 0);
    expect(kept.size).toBe(1);
    keepCopy(
      storage,
      here,
      succeed(sent, { ...stored, nonce: 'n2', version: 2, fields: { title: 'Hello', text: 'Two' } }, 1),
      1,
    );
    expect(kept.size).toBe(0);
  });

  it('keeps the request whose outcome is unknown, which is repeated with its key', () => {
    const sent = begin(typed('Two'), 'k1', 0);
    keepCopy(storage, here, edit(sent, { text: 'Two three' }, 1), 1);
    const newer = { ...stored, nonce: 'n2', version: 2, fields: { title: 'Hello', text: 'Two' } }; // it was stored
    const state = resume(newer, takeCopy(storage, here, 2), 2);
    expect(begin(state, 'k2', 3).request).toEqual({ key: 'k1', nonce: 'n1', changes: { text: 'Two' } });
    expect(state.fields.text).toBe('Two three');
  });

  it('of a text that someone else has changed since then announces the other version', () => {
    keepCopy(storage, here, typed('Mine'), 0);
    const theirs = { ...stored, nonce: 'x2', version: 2, fields: { title: 'Hello', text: 'Theirs' } };
    const state = resume(theirs, takeCopy(storage, here, 1), 1);
    expect(state).toMatchObject({
      heard: theirs,
      fields: { text: 'Mine' },
      stored: { nonce: 'n1', fields: { text: 'One' } },
    });
  });

  it('of a window that was closed is taken over at once', () => {
    keepCopy(storage, here, typed('Two'), 1000, true);
    const taken = takeCopy(storage, elsewhere, 1001);
    expect(taken).toMatchObject({ fields: { text: 'Two' }, at: 1000 });
    expect(kept.size).toBe(1);
    expect(takeCopy(storage, { ...here, windowId: 'w3' }, 1002)).toBeNull(); // it belongs to an open window again
  });

  it('of another window is left alone while that window is open, and taken over when it is gone', () => {
    keepCopy(storage, elsewhere, typed('Over there'), 1000);
    expect(takeCopy(storage, here, 1000 + ALIVE_MS)).toBeNull();
    expect(takeCopy(storage, here, 1001 + ALIVE_MS)?.fields.text).toBe('Over there');
    expect(kept.size).toBe(1);
    expect(takeCopy(storage, elsewhere, 1002 + ALIVE_MS)).not.toBeNull(); // a copy, once taken over, ages like any other
  });

  it('of another user or another node is never taken', () => {
    keepCopy(storage, { ...here, viewerId: 'bob' }, typed('Bob’s'), 0);
    keepCopy(storage, { ...here, nodeId: 'other' }, typed('Other'), 0);
    expect(takeCopy(storage, here, 10 * ALIVE_MS)).toBeNull();
  });

  it('that the storage cannot take is reported', () => {
    const full = {
      ...storage,
      length: 0,
      setItem: () => {
        throw new Error('QuotaExceededError');
      },
    };
    expect(keepCopy(full, here, typed('Two'), 0)).toBe(false);
    expect(isUnsaved(typed('Two'))).toBe(true);
  });

  it('is removed after 90 days, and what cannot be read is removed at once', () => {
    keepCopy(storage, here, typed('Two'), 0);
    kept.set('sextant.unsaved/ann/post/w9', '{"half');
    kept.set('sextant.theme', 'dark');
    removeOldCopies(storage, 89 * 86_400_000);
    expect([...kept.keys()]).toEqual(['sextant.unsaved/ann/post/w1', 'sextant.theme']);
    removeOldCopies(storage, 91 * 86_400_000);
    expect([...kept.keys()]).toEqual(['sextant.theme']);
  });
});
