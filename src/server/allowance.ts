/**
 * What addresses and users may ask of this process in a minute, in points of estimated cost. A bucket that refills steadily: whoever
 * has asked for nothing may spend a minute's worth at once. (The generic cell rate algorithm: one number for each key.)
 * All times here are of the monotonic clock, `performance.now()`: the wall clock may step.
 */
import type { Config } from '../config.js';
import { addressBlock } from '../shared/address-block.js';
import { BusyError } from '../shared/errors.js';
import { MINUTE_MS, SECOND_MS } from '../shared/time.js';
import type { Caller } from './context.js';

/** Who has not spent anything for the longest time is forgotten first, and has its whole allowance again. */
const KEYS_MAX = 20_000;
/** What an operation costs beside its estimate: to be read, and to be answered. */
const OPERATION_POINTS = 1;

export class Allowance {
  /** By key, the longest unused first: when the allowance is whole again, in milliseconds. */
  readonly #wholeAt = new Map<string, number>();

  constructor(private readonly pointsPerMinute: number) {}

  /** Keys that are remembered. */
  get count(): number {
    return this.#wholeAt.size;
  }

  /** @returns how long to wait until the points can be spent, in milliseconds; 0: now */
  wait(key: string, points: number, nowMs: number): number {
    return Math.max(0, this.#wholeAfter(key, points, nowMs) - nowMs - MINUTE_MS);
  }

  spend(key: string, points: number, nowMs: number): void {
    const wholeAt = this.#wholeAfter(key, points, nowMs);
    this.#wholeAt.delete(key);
    this.#wholeAt.set(key, wholeAt);
    if (this.#wholeAt.size <= KEYS_MAX) return;
    for (const oldest of this.#wholeAt.keys()) {
      this.#wholeAt.delete(oldest);
      return;
    }
  }

  /** What was spent for nothing. */
  giveBack(key: string, points: number): void {
    const wholeAt = this.#wholeAt.get(key);
    if (wholeAt !== undefined) this.#wholeAt.set(key, wholeAt - this.#refillMs(points));
  }

  #wholeAfter(key: string, points: number, nowMs: number): number {
    return Math.max(nowMs, this.#wholeAt.get(key) ?? 0) + this.#refillMs(points);
  }

  /** What costs more than all takes all. */
  #refillMs(points: number): number {
    return Math.min(1, points / this.pointsPerMinute) * MINUTE_MS;
  }
}

/** How many requests addresses may send, counted before they have cost anything. */
export class RequestAllowance {
  readonly #addresses: Allowance;

  constructor(perMinute: number) {
    this.#addresses = new Allowance(perMinute);
  }

  /** @returns 0: the request has been counted; else how long to wait until there may be another one, in seconds */
  charge(address: string): number {
    const nowMs = performance.now();
    const block = addressBlock(address);
    const waitMs = this.#addresses.wait(block, 1, nowMs);
    if (waitMs === 0) this.#addresses.spend(block, 1, nowMs);
    return Math.ceil(waitMs / SECOND_MS);
  }
}

/** How many carts visitors may start from an address. Whoever is signed in, at a till perhaps, is known, and not counted. */
export class CartAllowance {
  readonly #addresses: Allowance;

  constructor({ MAX_CARTS_PER_MINUTE }: Config) {
    this.#addresses = new Allowance(MAX_CARTS_PER_MINUTE);
  }

  /** Addresses that are remembered. For metrics. */
  get count(): number {
    return this.#addresses.count;
  }

  /** @throws BusyError the address has started as many as a minute allows */
  charge({ viewer, address }: Pick<Caller, 'viewer' | 'address'>): void {
    if (viewer.kind !== 'visitor') return;
    const nowMs = performance.now();
    const block = addressBlock(address);
    const wait = this.#addresses.wait(block, 1, nowMs);
    if (wait > 0) throw new BusyError('More carts are started from your address than a minute allows', Math.ceil(wait));
    this.#addresses.spend(block, 1, nowMs);
  }
}

/** The allowances of operations, the same ones for every carrier. */
export class OperationAllowance {
  readonly #addresses: Allowance;
  readonly #users: Allowance;

  constructor({ MAX_ADDRESS_COST_PER_MINUTE, MAX_USER_COST_PER_MINUTE }: Config) {
    this.#addresses = new Allowance(MAX_ADDRESS_COST_PER_MINUTE);
    this.#users = new Allowance(MAX_USER_COST_PER_MINUTE);
  }

  /** Addresses and users that are remembered. For metrics. */
  get count(): number {
    return this.#addresses.count + this.#users.count;
  }

  /** @throws BusyError the address or the user has spent what a minute allows; then neither has spent anything more */
  charge({ viewer, address }: Pick<Caller, 'viewer' | 'address'>, cost: number): void {
    const nowMs = performance.now();
    const points = cost + OPERATION_POINTS;
    const block = addressBlock(address);
    const user = viewer.id ?? viewer.keyId;
    const wait = Math.max(
      this.#addresses.wait(block, points, nowMs),
      user === null ? 0 : this.#users.wait(user, points, nowMs),
    );
    if (wait > 0) throw new BusyError('You ask for more than a minute allows', Math.ceil(wait));
    this.#addresses.spend(block, points, nowMs);
    if (user !== null) this.#users.spend(user, points, nowMs);
  }

  /** The operation was refused before it had begun: it costs the caller nothing. */
  giveBack({ viewer, address }: Pick<Caller, 'viewer' | 'address'>, cost: number): void {
    const user = viewer.id ?? viewer.keyId;
    this.#addresses.giveBack(addressBlock(address), cost + OPERATION_POINTS);
    if (user !== null) this.#users.giveBack(user, cost + OPERATION_POINTS);
  }
}
