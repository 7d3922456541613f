import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { AnswerRoom } from '../../../src/server/limits/answer-room.js';
import { Backlog, Outlet } from '../../../src/server/limits/backlog.js';

/** A connection whose client reads only on demand. */
class Connection extends Writable {
  readonly #held: (() => void)[] = [];
  ended = false;
  readonly outlet: Outlet;

  constructor(backlog: Backlog, account: string) {
    super();
    this.outlet = new Outlet(this, backlog, account, () => {
      this.ended = true;
      this.outlet.close();
    });
  }

  override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
    this.#held.push(done);
  }

  send(bytes: number): void {
    this.write(Buffer.alloc(bytes));
    this.outlet.noteWritten();
  }

  /** Reads the oldest unread chunk. */
  async readOne(): Promise<void> {
    this.#held.shift()?.();
    await new Promise(setImmediate);
    this.outlet.noteWritten();
  }

  async read(): Promise<void> {
    while (this.writableLength > 0) {
      for (const done of this.#held.splice(0)) done();
      await new Promise(setImmediate);
    }
  }
}

const bounds = { bytes: 1000_000, bytesPerAccount: 600_000 };

describe('unread data', () => {
  it('is bounded per account: its longest-stalled connection is closed', () => {
    const backlog = new Backlog(bounds);
    const [first, second, other] = [
      new Connection(backlog, 'ann'),
      new Connection(backlog, 'ann'),
      new Connection(backlog, 'bob'),
    ];
    other.send(300_000);
    first.send(300_000);
    second.send(300_000);
    expect([first.ended, second.ended, other.ended]).toEqual([false, false, false]);
    second.send(1);
    expect([first.ended, second.ended, other.ended]).toEqual([true, false, false]);
    expect(backlog).toMatchObject({ bytes: 600_001, connections: 2, ended: 1 });
  });

  it('closes a stalled connection before a slow one', async () => {
    const backlog = new Backlog(bounds);
    const [slow, still, newest] = [
      new Connection(backlog, 'ann'),
      new Connection(backlog, 'ann'),
      new Connection(backlog, 'ann'),
    ];
    for (let sent = 0; sent < 3; sent += 1) slow.send(100_000);
    still.send(100_000);
    await slow.readOne();
    newest.send(400_000);
    expect([slow.ended, still.ended, newest.ended]).toEqual([false, true, false]);
  });

  it('is bounded in total: the account with the most makes room', () => {
    const backlog = new Backlog(bounds);
    const connections = ['ann', 'bob', 'bob', 'cid'].map((account) => new Connection(backlog, account));
    for (const connection of connections) connection.send(280_000);
    expect(connections.map(({ ended }) => ended)).toEqual([false, true, false, false]);
  });

  it('no longer counts when it is read, or the connection closes', async () => {
    const backlog = new Backlog(bounds);
    const [read, closed] = [new Connection(backlog, 'ann'), new Connection(backlog, 'ann')];
    read.send(200_000);
    closed.send(200_000);
    await read.read();
    closed.outlet.close();
    expect(backlog).toMatchObject({ bytes: 0, connections: 0, ended: 0 });
  });

  it('resumes waiting writers one after the other, as long as there is room', async () => {
    const connection = new Connection(new Backlog(bounds), 'ann');
    connection.send(200_000);
    const gone: number[] = [];
    for (const number of [1, 2, 3])
      connection.outlet.whenRoom({
        goOn: () => {
          gone.push(number);
          connection.send(100_000);
        },
      });
    expect(gone).toEqual([]);
    await connection.read();
    expect(gone).toEqual([1, 2, 3]);
  });
});

describe('operations of a socket', () => {
  it('start while there is room for their responses, expensive ones alone, in order', async () => {
    const connection = new Connection(new Backlog(bounds), 'ann');
    const room = new AnswerRoom(connection.outlet);
    const begun: string[] = [];
    const enter = async (name: string, cost: number) => {
      const leave = await room.enter({ cost, bytes: 0 });
      begun.push(name);
      return leave;
    };
    const leaveExpensive = await enter('expensive', 9000);
    const costlier = enter('costlier', 12_000);
    const cheap = enter('cheap', 1);
    await new Promise(setImmediate);
    expect(begun).toEqual(['expensive']);
    leaveExpensive();
    const leaveCostlier = await costlier;
    connection.send(200_000);
    leaveCostlier();
    await new Promise(setImmediate);
    expect(begun).toEqual(['expensive', 'costlier']);
    await connection.read();
    (await cheap)();
    expect(begun).toEqual(['expensive', 'costlier', 'cheap']);
  });

  it('count while they wait: a connection with too much waiting is closed, and its queue is dropped', async () => {
    const backlog = new Backlog(bounds);
    const [connection, other] = [new Connection(backlog, 'ann'), new Connection(backlog, 'bob')];
    for (const each of [connection, other]) each.send(200_000);
    const room = new AnswerRoom(connection.outlet);
    const ask = () => void room.enter({ cost: 1, bytes: 250_000 });
    ask();
    expect(backlog.bytes).toBeGreaterThan(650_000);
    expect(connection.ended).toBe(false);
    ask();
    expect([connection.ended, other.ended]).toEqual([true, false]);
    expect(backlog.bytes).toBe(200_000);
  });
});
