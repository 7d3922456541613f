import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Autosave,
  begin,
  beginWith,
  conflict,
  discard,
  dueAt,
  edit,
  type Fields,
  hear,
  INTERVAL_MS,
  isUnsaved,
  loseConnection,
  merge,
  QUIET_MS,
  refuse,
  review,
  type Stored,
  succeed,
  WITHOUT_PAUSE_MS,
} from '../../web/src/content/saving/autosave.js';

const draft: Stored = { nonce: 'n1', version: 1, fields: { title: 'Hello', text: 'One' }, isDraft: true, by: null };
const theirs: Stored = { ...draft, nonce: 'x2', version: 2, fields: { title: 'Hello', text: 'Theirs' }, by: 'Ann' };
const storedAs = (version: number, fields: Fields): Stored => ({ ...draft, nonce: `n${version}`, version, fields });

describe('the autosave of a draft', () => {
  it('waits for a pause in typing, and not for ever', () => {
    const typed = edit(beginWith(draft), { text: 'One t' }, 1000);
    expect(dueAt(typed)).toBe(1000 + QUIET_MS);
    expect(dueAt(edit(typed, { text: 'One two' }, 2000))).toBe(2000 + QUIET_MS);
    let state = typed;
    for (let now = 1000; now < 60_000; now += 500) state = edit(state, { text: `One ${now}` }, now);
    expect(dueAt(state)).toBe(1000 + WITHOUT_PAUSE_MS);
  });

  it('saves at most once in each interval', () => {
    const sent = begin(edit(beginWith(draft), { text: 'Two' }, 0), 'k1', 3000);
    const saved = succeed(sent, storedAs(2, { title: 'Hello', text: 'Two' }), 3100);
    expect(dueAt(saved)).toBeNull();
    expect(dueAt(edit(saved, { text: 'Three' }, 4000))).toBe(3000 + INTERVAL_MS);
    expect(dueAt(edit(saved, { text: 'Three' }, 90_000))).toBe(90_000 + QUIET_MS);
  });

  it('sends the changed fields under the version they are based on', () => {
    const sent = begin(edit(beginWith(draft), { text: 'Two', title: 'Hello' }, 0), 'k1', 0);
    expect(sent.request).toEqual({ key: 'k1', nonce: 'n1', changes: { text: 'Two' } });
  });

  it('is not due for what was typed and taken back', () => {
    const back = edit(edit(beginWith(draft), { text: 'Two' }, 0), { text: 'One' }, 500);
    expect(dueAt(back)).toBeNull();
    expect(begin(back, 'k1', 600)).toBe(back);
  });

  it('is never due for what readers see: that waits for the user', () => {
    const state = edit(beginWith({ ...draft, isDraft: false }), { text: 'Half a sen' }, 0);
    expect(dueAt(state)).toBeNull();
    expect(isUnsaved(state)).toBe(true);
    expect(begin(state, 'k1', 0).request).not.toBeNull();
  });

  it('keeps what was typed while the request was under way', () => {
    const sent = begin(edit(beginWith(draft), { text: 'Two' }, 0), 'k1', 2000);
    const typed = edit(sent, { text: 'Two three' }, 2050);
    expect(dueAt(typed)).toBeNull();
    const saved = succeed(typed, storedAs(2, { title: 'Hello', text: 'Two' }), 2100);
    expect(saved.fields.text).toBe('Two three');
    expect(begin(saved, 'k2', 9000).request).toEqual({ key: 'k2', nonce: 'n2', changes: { text: 'Two three' } });
  });

  it('shows a field as the server stored it', () => {
    const sent = begin(edit(beginWith(draft), { title: ' Hello you ' }, 0), 'k1', 0);
    const saved = succeed(sent, storedAs(2, { title: 'Hello you', text: 'One' }), 10);
    expect(saved.fields.title).toBe('Hello you');
    expect(isUnsaved(saved)).toBe(false);
  });
});

describe('a request whose outcome is unknown', () => {
  it('is repeated as it was, with its key, before what was typed since then', () => {
    const lost = loseConnection(begin(edit(beginWith(draft), { text: 'Two' }, 0), 'k1', 2000));
    const typed = edit(lost, { text: 'Two three' }, 3000);
    expect(dueAt(typed)).toBeNull();
    const again = begin(typed, 'k2', 4000);
    expect(again.request).toEqual({ key: 'k1', nonce: 'n1', changes: { text: 'Two' } });
    expect(again.fields.text).toBe('Two three');
  });

  it('is not taken for the version of someone else when the server tells of it', () => {
    const lost = loseConnection(begin(edit(beginWith(draft), { text: 'Two' }, 0), 'k1', 0));
    const own = storedAs(2, { title: 'Hello', text: 'Two' });
    const saved = succeed(begin(hear(lost, own), 'k2', 0), own, 10);
    expect(saved).toMatchObject({ heard: null, trouble: null, request: null });
    expect(isUnsaved(saved)).toBe(false);
  });
});

describe('a version of another editor', () => {
  it('is shown at once where nothing is unsaved', () => {
    expect(hear(beginWith(draft), theirs).fields.text).toBe('Theirs');
  });

  it('is announced where something is, and holds back the autosave', () => {
    const state = hear(edit(beginWith(draft), { text: 'Mine' }, 0), theirs);
    expect(state).toMatchObject({ heard: theirs, fields: { text: 'Mine' } });
    expect(dueAt(state)).toBeNull();
    expect(review(state).trouble).toEqual({
      kind: 'conflict',
      theirs,
      conflicts: [{ field: 'text', base: 'One', yours: 'Mine', theirs: 'Theirs', merged: null }],
    });
  });

  it('that is older than the stored one is ignored', () => {
    const state = beginWith({ ...draft, version: 5 });
    expect(hear(state, theirs)).toBe(state);
  });

  it('stops saving until both are merged, and then the text is based on it', () => {
    const sent = begin(edit(beginWith(draft), { text: 'Mine', title: 'Hi' }, 0), 'k1', 0);
    const stopped = conflict(sent, theirs, []);
    expect(dueAt(stopped)).toBeNull();
    expect(begin(stopped, 'k2', 0)).toBe(stopped);
    const merged = merge(stopped, { text: 'Mine and theirs', title: 'Hi' }, 50);
    expect(begin(merged, 'k2', 60).request).toEqual({
      key: 'k2',
      nonce: 'x2',
      changes: { text: 'Mine and theirs', title: 'Hi' },
    });
    const given = merge(stopped, { text: 'Theirs' }, 50);
    expect(isUnsaved(given)).toBe(false);
    expect(discard(stopped).fields).toEqual(theirs.fields);
  });
});

describe('a refused save', () => {
  it('is not sent again until something changes', () => {
    const refused = refuse(begin(edit(beginWith(draft), { title: '' }, 0), 'k1', 0), 'The title must not be empty');
    expect(dueAt(refused)).toBeNull();
    const mended = edit(refused, { title: 'Hi' }, 5000);
    expect(mended.trouble).toBeNull();
    expect(dueAt(mended)).not.toBeNull();
  });
});

describe('any order of typing, answers, lost answers and other editors', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('type' as const), text: fc.string({ maxLength: 3 }) }),
    fc.record({ do: fc.constantFrom('send', 'answer', 'lose', 'other', 'tell', 'merge') }),
  );

  it('loses no typed text and overwrites no version that was not seen', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const server = new FakeServer();
        let state: Autosave = beginWith(server.current);
        let shown = state.fields.text;
        for (const [now, each] of steps.entries()) {
          if (each.do === 'type' && 'text' in each) {
            state = edit(state, { text: each.text }, now);
            shown = each.text;
          }
          if (each.do === 'other') server.editByOther(`other ${now}`);
          if (each.do === 'tell') state = hear(state, server.current);
          if (each.do === 'send') state = begin(state, `k${now}`, now);
          if (each.do === 'merge' && state.trouble?.kind === 'conflict') {
            server.seen.add(state.trouble.theirs.nonce);
            state = merge(state, { text: state.fields.text ?? null }, now);
          }
          if (each.do === 'answer' && state.request) state = server.answer(state, now);
          if (each.do === 'lose' && state.request) {
            server.answer(state, now); // executed, but the answer is lost
            state = loseConnection(state);
          }
          if (!isUnsaved(state)) server.seen.add(state.stored.nonce);
          if (!isUnsaved(state)) shown = state.fields.text; // another's version may be shown now
          expect(state.fields.text || null).toBe(shown || null);
        }
        expect(server.overwritten).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

/** The guard and the idempotency of `editNode`, to drive the state machine: its own tests use the real one. */
class FakeServer {
  current = draft;
  /** The versions that were shown to the user, or merged by the user. */
  readonly seen = new Set<string>();
  /** Versions of the other editor that were replaced without having been seen. */
  readonly overwritten: string[] = [];
  readonly #answers = new Map<string, Stored | null>();

  editByOther(text: string): void {
    const { version, fields } = this.current;
    this.current = {
      ...this.current,
      version: version + 1,
      nonce: `x${version + 1}`,
      fields: { ...fields, text },
      by: 'Ann',
    };
  }

  answer(state: Autosave, now: number): Autosave {
    const { request } = state;
    if (!request) throw new Error('Nothing was sent');
    const known = this.#answers.get(request.key);
    const outcome = known === undefined ? this.#execute(request) : known;
    this.#answers.set(request.key, outcome);
    return outcome ? succeed(state, outcome, now) : conflict(state, this.current, []);
  }

  #execute({ nonce, changes }: NonNullable<Autosave['request']>): Stored | null {
    const { version, fields, nonce: present, by } = this.current;
    if (nonce !== present) return null;
    if (by !== null && !this.seen.has(present)) this.overwritten.push(present);
    this.current = {
      ...this.current,
      version: version + 1,
      nonce: `m${version + 1}`,
      fields: { ...fields, ...changes },
      by: null,
    };
    return this.current;
  }
}
