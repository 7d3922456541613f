/**
 * Reads a state, together with the events after it: it gathers the events of the channel's topics, reads a snapshot at a cluster time T,
 * and drops the gathered events up to T. If T is before what the hub had delivered when the gathering started, it reads again.
 *
 * A state may name further topics (`topicsOf`). Their events since T are taken from the ring. If it does not reach back to T, the topics
 * are registered and the state is read again.
 */
import { pauseBeforeAttempt, type StateFeed } from '../../database/index.js';
import type { ClusterTime } from '../../shared/cluster-time.js';
import { BusyError } from '../../shared/errors.js';
import type { RingEntry } from '../stream/ring.js';
import { type ChannelHost, topicOf, wholeTime } from './channel.js';
import { Gathering } from './gathering.js';

const ATTEMPTS_MAX = 10;

/** A state at a cluster time. */
export interface StateRead<State> {
  readonly value: State;
  readonly time: ClusterTime;
  /** All topics that concern it. */
  readonly topics: ReadonlySet<string>;
  /** Its events that were delivered meanwhile, in order; some may be from before that time. */
  readonly entries: readonly RingEntry[];
}

/** Whose topics' events the reader is given. */
interface Owner {
  readonly topics: ReadonlySet<string>;
  setTopics(topics: ReadonlySet<string>): void;
}

type Readable<Args, State> = Pick<StateFeed<Args, State, unknown, unknown>, 'name' | 'topic' | 'snapshot' | 'topicsOf'>;

export class StateReader<Args, State> {
  readonly #host: ChannelHost;
  readonly #feed: Readable<Args, State>;
  readonly #args: Args;
  readonly #owner: Owner;
  /** Events that arrive while a snapshot is read; null while none is being read. */
  #gathering: Gathering | null = null;

  constructor(host: ChannelHost, feed: Readable<Args, State>, args: Args, owner: Owner) {
    this.#host = host;
    this.#feed = feed;
    this.#args = args;
    this.#owner = owner;
  }

  /** An event of the owner's topics has arrived. */
  gather(entry: RingEntry): void {
    this.#gathering?.add(entry);
  }

  /** Gives up the current read. */
  stop(): void {
    this.#gathering = null;
  }

  /**
   * @param isVoid whether the read was given up
   * @param before the state that is read again
   * @param use called at once, so that no event is delivered in between
   * @returns false when it was given up
   */
  async read(
    isVoid: () => boolean,
    before: State | undefined,
    use: (read: StateRead<State>) => void,
  ): Promise<boolean> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      if (await this.#attempt(isVoid, before, use)) return true;
      if (isVoid()) return false;
      await pauseBeforeAttempt(attempt + 1);
    }
    throw new BusyError('The state changes faster than it can be read');
  }

  /** @returns false if it must be read again: it is older than what was delivered, or events are missing */
  async #attempt(
    isVoid: () => boolean,
    before: State | undefined,
    use: (read: StateRead<State>) => void,
  ): Promise<boolean> {
    let from = this.#host.position;
    let gathering = new Gathering();
    try {
      const { value, time } = await this.#host.readSnapshot((session, now) => {
        from = this.#host.position; // everything after this is gathered
        gathering = new Gathering();
        if (!isVoid()) this.#gathering = gathering;
        return this.#feed.snapshot(this.#host.db, this.#args, session, now, before);
      });
      if (isVoid() || time < from.time || gathering.overflowed) return false;
      const read = this.#withTopics(value, time, gathering.entries);
      if (read) use(read);
      return read !== null;
    } finally {
      if (this.#gathering === gathering) this.#gathering = null;
    }
  }

  #withTopics(value: State, time: ClusterTime, gathered: readonly RingEntry[]): StateRead<State> | null {
    const { topics: registered } = this.#owner;
    const named = this.#feed.topicsOf?.(value, this.#args);
    if (!named) return { value, time, topics: registered, entries: gathered };
    const topics = new Set([this.#feed.topic(this.#args), ...named].map((each) => topicOf(this.#feed.name, each)));
    const isMissing = [...topics].some((each) => !registered.has(each));
    const entries = isMissing
      ? this.#host.recent(wholeTime(time), topics)
      : gathered.filter((entry) => entry.topics.some((each) => topics.has(each)));
    if (entries) return { value, time, topics, entries };
    this.#owner.setTopics(new Set([...registered, ...topics])); // their events are gathered from now on
    return null;
  }
}
