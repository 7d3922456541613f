/**
 * Rate limits of addresses and users, in points of estimated cost per minute. A bucket that refills steadily: an unused bucket allows
 * a burst of a minute's worth. (The generic cell rate algorithm: one number per key.)
 * All times here are of the monotonic clock, `performance.now()`: the wall clock may step.
 */
import { LRUCache } from 'lru-cache';
import type { Config } from '../../config/config.js';
import { addressBlock } from '../../shared/address-block.js';
import { BusyError } from '../../shared/errors.js';
import { MINUTE_MS, SECOND_MS } from '../../shared/time.js';
import type { Caller } from '../identity/caller.js';

/** The least recently used key is dropped first, and then has its whole allowance again. */
const KEYS_MAX = 20_000;
/** The cost of an operation in addition to its estimate: parsing and responding. */
const OPERATION_POINTS = 1;

export class Allowance {
  /** By key: when the allowance is full again, in milliseconds. */
  readonly #wholeAt = new LRUCache<string, number>({ max: KEYS_MAX });

  readonly #pointsPerMinute: number;

  constructor(pointsPerMinute: number) {
    this.#pointsPerMinute = pointsPerMinute;
  }

  /** Number of stored keys. */
  get count(): number {
    return this.#wholeAt.size;
  }

  /** @returns how long to wait until the points can be spent, in milliseconds; 0: now */
  wait(key: string, points: number, nowMs: number): number {
    return Math.max(0, this.#wholeAfter(key, points, nowMs) - nowMs - MINUTE_MS);
  }

  spend(key: string, points: number, nowMs: number): void {
    this.#wholeAt.set(key, this.#wholeAfter(key, points, nowMs));
  }

  /** Refunds points that were spent in vain. */
  giveBack(key: string, points: number): void {
    const wholeAt = this.#wholeAt.peek(key);
    if (wholeAt !== undefined) this.#wholeAt.set(key, wholeAt - this.#refillMs(points));
  }

  #wholeAfter(key: string, points: number, nowMs: number): number {
    return Math.max(nowMs, this.#wholeAt.peek(key) ?? 0) + this.#refillMs(points);
  }

  /** A cost above the whole allowance uses all of it. */
  #refillMs(points: number): number {
    return Math.min(1, points / this.#pointsPerMinute) * MINUTE_MS;
  }
}

/** The rate limit of requests per address, counted before they cost anything. */
export class RequestAllowance {
  readonly #addresses: Allowance;

  constructor(readonly perMinute: number) {
    this.#addresses = new Allowance(perMinute);
  }

  /**
   * @param count for a request that does what otherwise takes several, at most `perMinute`
   * @returns 0 if it was counted; otherwise how long to wait until it is allowed, in seconds
   */
  charge(address: string, count = 1): number {
    const nowMs = performance.now();
    const block = addressBlock(address);
    const waitMs = this.#addresses.wait(block, count, nowMs);
    if (waitMs === 0) this.#addresses.spend(block, count, nowMs);
    return Math.ceil(waitMs / SECOND_MS);
  }
}

/** The rate limit of carts that visitors start per address. Signed-in users, such as cashiers, are not counted. */
export class CartAllowance {
  readonly #addresses: Allowance;

  constructor({ MAX_CARTS_PER_MINUTE }: Config) {
    this.#addresses = new Allowance(MAX_CARTS_PER_MINUTE);
  }

  /** Number of stored addresses, for metrics. */
  get count(): number {
    return this.#addresses.count;
  }

  /** @throws BusyError the address has reached its limit per minute */
  charge({ viewer, address }: Pick<Caller, 'viewer' | 'address'>): void {
    if (viewer.kind !== 'visitor') return;
    const nowMs = performance.now();
    const block = addressBlock(address);
    const wait = this.#addresses.wait(block, 1, nowMs);
    if (wait > 0) throw new BusyError('Too many carts were started from your address within a minute', Math.ceil(wait));
    this.#addresses.spend(block, 1, nowMs);
  }
}

/** The rate limits of operations, shared by all transports. */
export class OperationAllowance {
  readonly #addresses: Allowance;
  readonly #users: Allowance;

  constructor({ MAX_ADDRESS_COST_PER_MINUTE, MAX_USER_COST_PER_MINUTE }: Config) {
    this.#addresses = new Allowance(MAX_ADDRESS_COST_PER_MINUTE);
    this.#users = new Allowance(MAX_USER_COST_PER_MINUTE);
  }

  /** Number of stored addresses and users, for metrics. */
  get count(): number {
    return this.#addresses.count + this.#users.count;
  }

  /** @throws BusyError the address or the user has reached its limit per minute; then neither is charged */
  charge({ viewer, address }: Pick<Caller, 'viewer' | 'address'>, cost: number): void {
    const nowMs = performance.now();
    const points = cost + OPERATION_POINTS;
    const block = addressBlock(address);
    const user = viewer.id ?? viewer.keyId;
    const wait = Math.max(
      this.#addresses.wait(block, points, nowMs),
      user === null ? 0 : this.#users.wait(user, points, nowMs),
    );
    if (wait > 0) throw new BusyError('You have exceeded your rate limit', Math.ceil(wait));
    this.#addresses.spend(block, points, nowMs);
    if (user !== null) this.#users.spend(user, points, nowMs);
  }

  /** The operation was rejected before it started: it costs the caller nothing. */
  giveBack({ viewer, address }: Pick<Caller, 'viewer' | 'address'>, cost: number): void {
    const user = viewer.id ?? viewer.keyId;
    this.#addresses.giveBack(addressBlock(address), cost + OPERATION_POINTS);
    if (user !== null) this.#users.giveBack(user, cost + OPERATION_POINTS);
  }
}
