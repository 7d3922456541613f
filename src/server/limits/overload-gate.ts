/**
 * Bounds how long accepted work waits (MAX_WAIT_MS), and how much work is held. Work that would be answered within that time is never
 * rejected, whatever else the machine does. The wait is estimated by Little's law: the work held, divided by the throughput of the
 * last second with a non-empty queue. (`docs/decisions/overload.md` describes the alternatives that were tried.)
 *
 * A few operations run concurrently and the others queue in order, so that work that cannot be done in time is rejected before any
 * effort is spent on it. The concurrency follows from the throughput as well: work for a hundredth of MAX_WAIT_MS while the event loop
 * is the bottleneck, and for three quarters of it while the loop waits for the database, where work costs this process nothing and may
 * be written in groups. Operations that have run for longer than MAX_WAIT_MS no longer count: they wait for something else, for example
 * a locked document.
 *
 * A burst is not an overload, and only time tells them apart. So nothing is rejected until work has queued for twice MAX_WAIT_MS
 * without a break, and more keeps arriving. Until then, work that has waited too long moves behind work that is still in time, so
 * that the latter is not late as well, and gets its turn when the burst is over.
 */
import { BusyError } from '../../shared/errors.js';
import { Doorway } from './doorway.js';
import { LoadMeter } from './load-meter.js';
import { RunningClock } from './running-clock.js';

const TICK_MS = 20;
/** In multiples of MAX_WAIT_MS: how long work must have queued without a break before anything is rejected. */
const BURST_SHARE = 2;
/** A burst is over when the arrival rate is below this share of throughput. Closed-loop callers send exactly as much as is completed. */
const KEEPS_COMING_FROM = 0.5;
/** The minimum weight that may run, and the share of MAX_WAIT_MS that running work may take: with a busy event loop, and without. */
const WHILE_BUSY = { atLeast: 40, share: 0.01 };
const WHILE_IDLE = { atLeast: 64, share: 0.75 };
/** The event loop is busy when its utilization since the last tick exceeds this. */
const BUSY_FROM = 0.8;
/** Total size of the bodies and variables of queued work. */
const WAITING_BYTES_MAX = 67_108_864;
/** Points of estimated cost that take about as long as the fixed cost of an operation. */
const COST_OF_ONE = 10;
const RETRY_AFTER_MAX_MS = 30_000;

export interface GateBounds {
  readonly waitMaxMs: number;
  /** Running and queued operations together. */
  readonly operationsMax: number;
}

/** What is known about a piece of work before it starts. */
export interface Demand {
  /** Estimated cost, in points. */
  readonly cost: number;
  /** Memory that it holds while it waits. */
  readonly bytes: number;
  /** Whether the caller has disconnected: then the work is skipped. */
  isGone?(): boolean;
  /** Called when it is rejected: refunds its cost to the caller. */
  giveBack?(): void;
}

/** The gate's measurements of the machine. */
export interface Instruments {
  /** Milliseconds of a monotonic clock. */
  nowMs(): number;
  /** Event loop utilization since the last call. */
  loopLoad(): number;
  /** From 0 to 1: adds jitter to retries. */
  random(): number;
}

function ownInstruments(): Instruments {
  let since = performance.eventLoopUtilization();
  return {
    nowMs: () => performance.now(),
    loopLoad: () => {
      const { utilization } = performance.eventLoopUtilization(since);
      since = performance.eventLoopUtilization();
      return utilization;
    },
    random: Math.random,
  };
}

export const BUSY_MESSAGE = 'The server is overloaded';
const LEAST: Demand = { cost: 0, bytes: 0 };

interface Waiting {
  readonly weight: number;
  readonly demand: Demand;
  readonly sinceMs: number;
  begin(): void;
  reject(error: BusyError): void;
}

interface Running {
  readonly weight: number;
  readonly sinceMs: number;
  done: boolean;
}

export class OverloadGate {
  readonly #clock: RunningClock;
  readonly #load: LoadMeter;
  readonly #doorway = new Doorway(() => this.#callWaiting(this.#clock.nowMs()));
  /** In order: work that is still in time, and work that was moved back. */
  readonly #waiting: Waiting[] = [];
  readonly #late: Waiting[] = [];
  #waitingWeight = 0;
  #waitingBytes = 0;
  /** Started work, oldest first, without work that started longer than MAX_WAIT_MS ago. */
  readonly #fresh: Running[] = [];
  #freshCount = 0;
  #freshWeight = 0;
  #running = 0;
  #rejected = 0;
  /** Lasts until the queue has been empty for some time. */
  #overloaded = false;
  #loopBusy = false;
  #timer: NodeJS.Timeout | null = null;
  readonly #bounds: GateBounds;
  readonly #instruments: Instruments;

  constructor(bounds: GateBounds, instruments: Instruments = ownInstruments()) {
    this.#bounds = bounds;
    this.#instruments = instruments;
    this.#clock = new RunningClock(() => instruments.nowMs());
    this.#load = new LoadMeter(bounds.waitMaxMs);
  }

  /** For metrics. */
  get health() {
    return {
      running: this.#running,
      waiting: this.#waiting.length + this.#late.length,
      waitingBytes: this.#waitingBytes,
      rejected: this.#rejected,
    };
  }

  /** A client has connected. */
  noteConnection(): void {
    this.#doorway.noteConnection();
  }

  /** Ask before an operation has cost anything. On false, the caller must reject it. */
  hasRoom(): boolean {
    const nowMs = this.#clock.nowMs();
    const weight = this.#usualWeight;
    if (this.#mayWait(weight, LEAST.bytes, nowMs)) return true;
    this.#load.addCome(weight, nowMs);
    this.#rejected += 1;
    return false;
  }

  /** @throws BusyError the server is overloaded */
  requireRoom(): void {
    if (!this.hasRoom()) throw this.busy();
  }

  /** The error of a rejection. */
  busy(): BusyError {
    return new BusyError(BUSY_MESSAGE, this.retryAfterMs());
  }

  /**
   * Runs the work as soon as it is its turn.
   * @throws BusyError the server is overloaded, or its turn came too late: the work has not started
   */
  async run<T>(work: () => Promise<T>, demand: Demand = LEAST): Promise<T> {
    const running = await this.#admit(demand);
    try {
      return await work();
    } finally {
      this.#end(running);
    }
  }

  async #admit(demand: Demand): Promise<Running> {
    const nowMs = this.#clock.nowMs();
    const weight = weightOf(demand);
    this.#load.addCome(weight, nowMs);
    if (!this.#load.somebodyWaits && this.#mayBegin(weight, nowMs)) return this.#begin(weight, nowMs);
    if (!this.#mayWait(weight, demand.bytes, nowMs)) {
      this.#rejected += 1;
      demand.giveBack?.();
      throw this.busy();
    }
    if (!this.#load.somebodyWaits) {
      this.#load.beginWaiting(nowMs);
      this.#load.addCome(weight, nowMs);
    }
    return new Promise((resolve, reject) => {
      const begin = () => resolve(this.#begin(weight, this.#clock.nowMs())); // the slot is taken before the work starts
      this.#waiting.push({ weight, demand, sinceMs: nowMs, begin, reject });
      this.#waitingWeight += weight;
      this.#waitingBytes += demand.bytes;
    });
  }

  #begin(weight: number, sinceMs: number): Running {
    const running = { weight, sinceMs, done: false };
    this.#running += 1;
    this.#fresh.push(running);
    this.#freshCount += 1;
    this.#freshWeight += weight;
    this.#watch();
    return running;
  }

  #end(running: Running): void {
    const nowMs = this.#clock.nowMs();
    this.#running -= 1;
    this.#load.addDone(running.weight, nowMs);
    if (!running.done) this.#forget(running);
    this.#callWaiting(nowMs);
  }

  /** It no longer counts as running work. */
  #forget(running: Running): void {
    running.done = true;
    this.#freshCount -= 1;
    this.#freshWeight -= running.weight;
  }

  #mayBegin(weight: number, nowMs: number): boolean {
    for (let first = this.#fresh[0]; first; first = this.#fresh[0]) {
      if (!first.done && nowMs - first.sinceMs <= this.#bounds.waitMaxMs) break;
      if (!first.done) this.#forget(first);
      this.#fresh.shift();
    }
    if (this.#running >= this.#bounds.operationsMax) return false;
    const { atLeast, share } = this.#loopBusy ? WHILE_BUSY : WHILE_IDLE;
    const seconds = (share * this.#bounds.waitMaxMs) / 1000;
    const most = Math.max(atLeast, this.#load.donePerSecond(nowMs) * seconds);
    return this.#freshCount === 0 || this.#freshWeight + weight <= most;
  }

  /** The weight assumed for unread requests: the average of the queue. So fewer are admitted and read only to be rejected later. */
  get #usualWeight(): number {
    return this.#waiting.length > 0 ? this.#waitingWeight / this.#waiting.length : weightOf(LEAST);
  }

  #mayWait(weight: number, bytes: number, nowMs: number): boolean {
    const held = this.#running + this.#waiting.length + this.#late.length;
    if (held >= this.#bounds.operationsMax || this.#waitingBytes + bytes > WAITING_BYTES_MAX) return false;
    if (this.#load.isCalm(nowMs)) this.#overloaded = false;
    if (this.#estimateMs(weight) <= this.#bounds.waitMaxMs) return true;
    if (!this.#load.somebodyWaits && this.#mayBegin(weight, nowMs)) return true;
    this.#overloaded ||= this.#isBeyondBurst(nowMs);
    return !this.#overloaded;
  }

  #isBeyondBurst(nowMs: number): boolean {
    if (this.#load.waitingForMs(nowMs) < BURST_SHARE * this.#bounds.waitMaxMs) return false;
    return this.#load.comePerSecond(nowMs) > this.#load.donePerSecond(nowMs) * KEEPS_COMING_FROM;
  }

  /** How long it takes to finish all held work that is in time, plus this much more. */
  #estimateMs(more: number): number {
    const held = this.#waitingWeight + this.#freshWeight + more;
    return (held / this.#load.donePerSecond(this.#clock.nowMs())) * 1000;
  }

  #callWaiting(nowMs: number): void {
    if (!this.#load.somebodyWaits) return;
    if (this.#doorway.letsIn()) return;
    for (let next = this.#next(nowMs); next && this.#mayBegin(next.weight, nowMs); next = this.#next(nowMs)) {
      this.#take(this.#waiting.length > 0 ? this.#waiting : this.#late);
      next.begin();
    }
    if (this.#waiting.length + this.#late.length === 0) this.#load.endWaiting(nowMs);
  }

  /** The next work in the queue. Drops disconnected callers on the way, and moves back or rejects work that has waited too long. */
  #next(nowMs: number): Waiting | undefined {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      if (first.demand.isGone?.()) this.#rejectFirst(this.#waiting);
      else if (nowMs - first.sinceMs + this.#runMs(nowMs) <= this.#bounds.waitMaxMs) return first;
      else if (this.#overloaded) this.#rejectFirst(this.#waiting);
      else this.#defer();
    }
    while (this.#late[0]?.demand.isGone?.()) this.#rejectFirst(this.#late);
    return this.#late[0];
  }

  /** How long work that starts now will run, as far as known. */
  #runMs(nowMs: number): number {
    const perSecond = this.#load.donePerSecond(nowMs);
    return perSecond > 0 ? (this.#freshWeight / perSecond) * 1000 : 0;
  }

  #defer(): void {
    const first = this.#waiting.shift();
    if (!first) return;
    this.#waitingWeight -= first.weight;
    this.#late.push(first);
  }

  #take(line: Waiting[]): Waiting | undefined {
    const first = line.shift();
    if (!first) return undefined;
    if (line === this.#waiting) this.#waitingWeight -= first.weight;
    this.#waitingBytes -= first.demand.bytes;
    return first;
  }

  #rejectFirst(line: Waiting[]): void {
    this.#rejected += 1;
    const first = this.#take(line);
    first?.demand.giveBack?.();
    first?.reject(this.busy());
  }

  /** The timer runs only while there is running or queued work. */
  #watch(): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  #tick(): void {
    this.#timer = null;
    this.#loopBusy = this.#instruments.loopLoad() > BUSY_FROM;
    const nowMs = this.#clock.nowMs();
    this.#callWaiting(nowMs);
    this.#overloaded ||= this.#late.length > 0 && this.#isBeyondBurst(nowMs);
    while (this.#overloaded && this.#late.length > 0) this.#rejectFirst(this.#late);
    if (this.#running > 0) this.#watch();
  }

  /** When there will be room for everything rejected now, if the arrival rate stays the same; with jitter, so retries spread out. */
  retryAfterMs(): number {
    const nowMs = this.#clock.nowMs();
    const { waitMaxMs } = this.#bounds;
    const excess = this.#load.comePerSecond(nowMs) / this.#load.donePerSecond(nowMs);
    const estimate = Math.max(waitMaxMs, this.#estimateMs(0)) * Math.max(1, excess);
    const within = Math.min(estimate, RETRY_AFTER_MAX_MS); // also at zero throughput
    return Math.ceil((Number.isNaN(within) ? waitMaxMs : within) * (0.5 + this.#instruments.random()));
  }
}

/** 1 for the operation itself, plus its estimated cost. */
const weightOf = ({ cost }: Demand): number => 1 + cost / COST_OF_ONE;
