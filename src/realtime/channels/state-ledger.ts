/**
 * The memory that subscriptions use, mostly for the states that they follow: in total, and per account. What several accounts share
 * counts once in the total and once for each account, so that no account's share depends on who came first.
 */
import { LimitError } from '../../shared/errors.js';
import { greatest } from '../../shared/greatest.js';

export interface StateBounds {
  /** Estimated bytes of all states. */
  readonly bytes: number;
  /** The part of them that one account may follow. */
  readonly bytesPerAccount: number;
}

/** The memory of a subscription, without the state that it follows. */
export interface Load {
  /** Its own, for example its variables. */
  readonly bytes: number;
  /** Shared by all subscriptions with the same text. */
  readonly document: object;
  readonly documentBytes: number;
}

/** A followed subject. */
export interface Followed {
  /** Ends the subscriptions of an account to it. */
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

/** Approximate size of a channel without its state. */
const CHANNEL_BYTES = 4096;

export class StateLedger {
  readonly #bounds: StateBounds;
  /** Entries for followed subjects, and for the documents of their subscribers. */
  readonly #entries = new Map<object, Entry>();
  readonly #accounts = new Map<string, Account>();
  #bytes = 0;

  constructor(bounds: StateBounds) {
    this.#bounds = bounds;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether the total exceeds its bound. */
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

  /** Sets the size of a channel's state. @returns whether it has grown */
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

  /** The error to end an account's subscriptions with; null while the account is within its share. */
  excessOf(account: string): LimitError | null {
    const { bytesPerAccount } = this.#bounds;
    if ((this.#accounts.get(account)?.bytes ?? 0) <= bytesPerAccount) return null;
    const message = `Your subscriptions would use more than ${bytesPerAccount} bytes: follow fewer subjects or shorter ranges`;
    return new LimitError(message, bytesPerAccount);
  }

  /**
   * What to end when the total is too large: the largest subject of the account that uses the most. Subjects that it follows alone
   * come first, as ending shared ones frees no memory. A small account is never chosen while another one uses more.
   */
  largest(): { readonly account: string; readonly channel: Followed } | null {
    const [account, heaviest] = greatest(this.#accounts, ([, { bytes }]) => bytes) ?? [];
    const channel = greatest(heaviest?.channels ?? [], (each) => {
      const { bytes = 0, followers } = this.#entries.get(each) ?? {};
      return followers?.size === 1 ? bytes : -1 / bytes; // subjects of a single account rank before all others
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

/** @returns the bytes added to the account: 0 if it already has a share */
function share({ bytes, followers }: Entry, name: string): number {
  const times = followers.get(name) ?? 0;
  followers.set(name, times + 1);
  return times === 0 ? bytes : 0;
}

/** @returns the bytes removed from the account: 0 while it still has another share */
function unshare({ bytes, followers }: Entry, name: string): number {
  const times = followers.get(name) ?? 0;
  if (times > 1) followers.set(name, times - 1);
  else followers.delete(name);
  return times === 1 ? bytes : 0;
}
