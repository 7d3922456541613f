/**
 * What subscriptions take up in memory, the states that they follow above all: in all, and for each account that has them. What several
 * share counts once in all and once for each of them, so that nobody's share depends on who came first.
 */
import { LimitError } from '../shared/errors.js';
import { greatest } from '../shared/greatest.js';

export interface StateBounds {
  /** Bytes of all states, estimated. */
  readonly bytes: number;
  /** Of those, what one account may follow. */
  readonly bytesPerAccount: number;
}

/** What a subscription takes up besides the state that it follows. */
export interface Load {
  /** Its own, for example its variables. */
  readonly bytes: number;
  /** What it shares with all that were sent as the same text. */
  readonly document: object;
  readonly documentBytes: number;
}

/** Something that is followed. */
export interface Followed {
  /** Ends what an account follows of it. */
  endFor(account: string, error: Error): void;
}

interface Account {
  bytes: number;
  readonly channels: Set<Followed>;
}

interface Entry {
  bytes: number;
  readonly followers: Map<string, number>;
}

/** What a channel takes up besides its state, about. */
const CHANNEL_BYTES = 4096;

export class StateLedger {
  readonly #bounds: StateBounds;
  /** Of what is followed, and of the documents of those who follow it. */
  readonly #entries = new Map<object, Entry>();
  readonly #accounts = new Map<string, Account>();
  #bytes = 0;

  constructor(bounds: StateBounds) {
    this.#bounds = bounds;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether there is more than there may be. */
  get full(): boolean {
    return this.#bytes > this.#bounds.bytes;
  }

  add(channel: Followed): void {
    this.#add(channel, CHANNEL_BYTES);
  }

  remove(channel: Followed): void {
    const entry = this.#entries.get(channel);
    if (!entry) return;
    for (const name of entry.followers.keys()) this.#release(name, channel, entry.bytes);
    this.#drop(channel, entry);
  }

  /** The state of a channel takes up so much now. @returns whether that is more than before */
  resize(channel: Followed, stateBytes: number): boolean {
    const entry = this.#entries.get(channel);
    if (!entry) return false;
    const change = stateBytes + CHANNEL_BYTES - entry.bytes;
    if (change === 0) return false;
    entry.bytes += change;
    this.#bytes += change;
    for (const name of entry.followers.keys()) this.#accountOf(name).bytes += change;
    return change > 0;
  }

  enter(channel: Followed, name: string, { bytes, document, documentBytes }: Load): void {
    const entry = this.#entries.get(channel);
    if (!entry) return;
    const account = this.#accountOf(name);
    account.channels.add(channel);
    account.bytes += bytes + share(entry, name);
    account.bytes += share(this.#entries.get(document) ?? this.#add(document, documentBytes), name);
    this.#bytes += bytes;
  }

  leave(channel: Followed, name: string, { bytes, document }: Load): void {
    const entry = this.#entries.get(channel);
    const shared = this.#entries.get(document);
    if (!entry?.followers.has(name) || !shared) return;
    this.#accountOf(name).bytes -= bytes + unshare(shared, name);
    this.#bytes -= bytes;
    if (shared.followers.size === 0) this.#drop(document, shared);
    const own = unshare(entry, name);
    if (own > 0) this.#release(name, channel, own);
  }

  /** Why an account may not go on following what it does; null while that is within its share. */
  excessOf(account: string): LimitError | null {
    const { bytesPerAccount } = this.#bounds;
    if ((this.#accounts.get(account)?.bytes ?? 0) <= bytesPerAccount) return null;
    const message = `What you follow would take up more than ${bytesPerAccount} bytes: follow less, or shorter stretches`;
    return new LimitError(message, bytesPerAccount);
  }

  /**
   * What is to end when there is too much: of what the account with the most follows, the largest. What it follows alone comes first, as
   * the end of what others follow as well makes no room. Whoever follows little is never the one while somebody follows more.
   */
  largest(): { readonly account: string; readonly channel: Followed } | null {
    const [account, heaviest] = greatest(this.#accounts, ([, { bytes }]) => bytes) ?? [];
    const channel = greatest(heaviest?.channels ?? [], (each) => {
      const { bytes = 0, followers } = this.#entries.get(each) ?? {};
      return followers?.size === 1 ? bytes : -1 / bytes; // those of one account stand before all others
    });
    return account !== undefined && channel ? { account, channel } : null;
  }

  #add(thing: object, bytes: number): Entry {
    const entry: Entry = { bytes, followers: new Map() };
    this.#entries.set(thing, entry);
    this.#bytes += bytes;
    return entry;
  }

  #drop(thing: object, { bytes }: Entry): void {
    this.#entries.delete(thing);
    this.#bytes -= bytes;
  }

  #accountOf(name: string): Account {
    const known = this.#accounts.get(name);
    if (known) return known;
    const account = { bytes: 0, channels: new Set<Followed>() };
    this.#accounts.set(name, account);
    return account;
  }

  #release(name: string, channel: Followed, bytes: number): void {
    const account = this.#accountOf(name);
    account.bytes -= bytes;
    account.channels.delete(channel);
    if (account.channels.size === 0) this.#accounts.delete(name);
  }
}

/** @returns what that is for the account: nothing, if it has it already */
function share({ bytes, followers }: Entry, name: string): number {
  const times = followers.get(name) ?? 0;
  followers.set(name, times + 1);
  return times === 0 ? bytes : 0;
}

/** @returns what the account is rid of: nothing, while it still has it otherwise */
function unshare({ bytes, followers }: Entry, name: string): number {
  const times = followers.get(name) ?? 0;
  if (times > 1) followers.set(name, times - 1);
  else followers.delete(name);
  return times === 1 ? bytes : 0;
}
