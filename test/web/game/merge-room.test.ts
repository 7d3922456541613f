/** Two editors who change one room at the same time. */
import { describe, expect, it } from 'vitest';
import { type Draft, mergeRoom } from '../../../web/src/game/world/data/merge-room.js';

const exit = (direction: string, to: string) => ({ direction, aliases: [], description: '', needs: null, to });
const base: Draft = {
  key: 'hall',
  name: 'Hall',
  description: 'Wide.',
  isStart: false,
  exits: [exit('north', 'kitchen'), exit('south', 'garden')],
};

describe('a room that two editors change', () => {
  it('keeps what each of them has changed', () => {
    const stored = { ...base, name: 'Great hall', exits: [...base.exits, exit('up', 'attic')] };
    const draft = { ...base, description: 'High.', exits: [exit('south', 'garden'), exit('down', 'cellar')] };
    expect(mergeRoom(base, draft, stored)).toEqual({
      draft: {
        ...base,
        name: 'Great hall',
        description: 'High.',
        exits: [exit('south', 'garden'), exit('up', 'attic'), exit('down', 'cellar')],
      },
      clashes: [],
    });
  });

  it('names what both have changed in another way, and nothing else', () => {
    const stored = { ...base, description: 'Low.', name: 'Big hall', exits: [exit('north', 'attic')] };
    const draft = { ...base, description: 'High.', name: 'Big hall', exits: [exit('north', 'cellar'), base.exits[1]] };
    const { draft: merged, clashes } = mergeRoom(base, draft as Draft, stored);
    expect(clashes).toEqual(['the description', 'the exit north']);
    expect(merged).toEqual({ ...base, description: 'High.', name: 'Big hall', exits: [exit('north', 'cellar')] });
  });

  it('is what was edited if nobody else has changed it', () => {
    const draft = { ...base, exits: [exit('', ''), exit('', '')] };
    expect(mergeRoom(base, draft, base)).toEqual({ draft, clashes: [] });
  });
});
