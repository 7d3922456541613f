/** A client of both test feeds: keeps what it receives, and checks at every event that it equals the database at that time. */
import type { FeedEvent } from '../../src/database/index.js';
import type { Follow, Hub } from '../../src/realtime/index.js';
import { type Counts, counterFeed, incrementFeed } from './counters.js';
import type { Oracle } from './oracle.js';

export class TestClient {
  readonly id: string;
  readonly resets = { state: 0, list: 0 };
  readonly #oracle: Oracle;
  readonly #feeds: { state: typeof counterFeed; list: typeof incrementFeed };
  #state: Record<string, number> = {};
  #stateCursor: string | null = null;
  /** The entries since the list's last snapshot, and the snapshot's position. */
  #entries: string[] = [];
  #entriesFrom = '';
  #listCursor: string | null = null;
  #follows: { state: Follow<Counts, Counts>; list: Follow<Counts, string>; reading: Promise<unknown> } | null = null;
  #told: (() => void)[] = [];

  constructor(id: string, oracle: Oracle, feeds = { state: counterFeed, list: incrementFeed }) {
    this.id = id;
    this.#oracle = oracle;
    this.#feeds = feeds;
  }

  get connected(): boolean {
    return this.#follows !== null;
  }

  /** Subscribes to both feeds, and resumes after the last events that it has seen. */
  async connect(hub: Hub): Promise<void> {
    const state = await hub.follow(this.#feeds.state, { id: this.id }, { after: this.#stateCursor });
    const list = await hub.follow(this.#feeds.list, { id: this.id }, { after: this.#listCursor });
    const reading = Promise.all([
      this.#read(state, (event) => this.#takeState(event)),
      this.#read(list, (event) => this.#takeEntry(event)),
    ]);
    reading.catch(() => undefined); // awaited by disconnect
    this.#follows = { state, list, reading };
  }

  /** Disconnects immediately, whatever is in flight. @throws Error an event was wrong */
  async disconnect(): Promise<void> {
    const follows = this.#follows;
    this.#follows = null;
    await follows?.state.return();
    await follows?.list.return();
    await follows?.reading;
  }

  /** Ends when both feeds have sent everything up to a cluster time. @throws Error an event was wrong */
  async through(time: string): Promise<void> {
    await this.#oracle.passed(time);
    while ((this.#stateCursor ?? '') < time || this.#entries.length < this.#entriesUpTo(time)) {
      if (!this.#follows) throw new Error(`${this.id}: not connected`);
      const told = new Promise<boolean>((resolve) => this.#told.push(() => resolve(true)));
      if (!(await Promise.race([told, this.#follows.reading.then(() => false)])))
        throw new Error(`${this.id}: ended early`);
    }
    this.#requireEntries();
  }

  async #read<Event>(follow: AsyncIterable<Event>, take: (event: Event) => Promise<void>): Promise<void> {
    for await (const event of follow) {
      await take(event);
      for (const told of this.#told.splice(0)) told();
    }
  }

  async #takeState(event: FeedEvent<Counts, Counts>): Promise<void> {
    this.#requireLater(this.#stateCursor, event.cursor);
    if (event.kind === 'snapshot') this.#state = { ...event.view };
    else Object.assign(this.#state, event.change);
    if (event.reset) this.resets.state += 1;
    this.#stateCursor = event.cursor;
    await this.#requireEqual('state', this.#state, event.cursor);
  }

  async #takeEntry(event: FeedEvent<Counts, string>): Promise<void> {
    const time = event.cursor.slice(0, 16);
    if (event.kind === 'snapshot') {
      await this.#requireEqual('snapshot of the list', event.view, event.cursor);
      this.#entries = [];
      this.#entriesFrom = time;
    } else this.#entries.push(event.change);
    if (event.reset) this.resets.list += 1;
    this.#listCursor = event.cursor;
    this.#requireEntries();
  }

  /** The entries since the snapshot, exactly: none missing, none twice, in order. */
  #requireEntries(): void {
    const expected = this.#oracle
      .changesOf(this.id)
      .filter(({ time }) => time > this.#entriesFrom)
      .flatMap(({ counts }) => Object.entries(counts).map(([name, value]) => `${name}=${value}`))
      .slice(0, this.#entries.length);
    // Times that the oracle has not read yet are compared at the next event, and at the end by `through`.
    const got = this.#entries.slice(0, expected.length);
    if (JSON.stringify(got) !== JSON.stringify(expected))
      throw new Error(`${this.id}: list ${got} instead of ${expected}`);
  }

  #entriesUpTo(time: string): number {
    return this.#oracle
      .changesOf(this.id)
      .filter((change) => change.time > this.#entriesFrom && change.time <= time)
      .reduce((sum, { counts }) => sum + Object.keys(counts).length, 0);
  }

  #requireLater(before: string | null, after: string): void {
    if (before !== null && after.slice(0, 16) < before.slice(0, 16)) throw new Error(`${this.id}: went back in time`);
  }

  async #requireEqual(what: string, told: Counts, cursor: string): Promise<void> {
    const time = cursor.slice(0, 16);
    await this.#oracle.passed(time);
    const held = this.#oracle.stateAt(this.id, time);
    const same = (left: Counts, right: Counts) =>
      Object.entries(left).every(([name, value]) => (right[name] ?? 0) === value);
    if (!same(told, held) || !same(held, told))
      throw new Error(`${this.id}: ${what} ${JSON.stringify(told)} instead of ${JSON.stringify(held)} at ${cursor}`);
  }
}
