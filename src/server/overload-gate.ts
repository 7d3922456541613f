/**
 * Bounds how long accepted work waits: MAX_WAIT_MS, and how much of it is held. Work that would be answered in that time is never
 * refused, whatever else the machine does. How long it would take is estimated from what is held and from what was done in the last
 * second in which somebody waited: by Little's law, the one divided by the other. (`docs/decisions/overload.md` tells what else was tried.)
 *
 * A few run at once and the others wait in their order, so that what cannot be done in time is refused before anything was spent on it.
 * How many run follows from what is done as well: as much as takes a hundredth of the time while the event loop is the bottleneck, and
 * three quarters of it while the loop waits for the database, where work costs us nothing and may be written in groups. Whatever has run for
 * longer than anybody waits is not counted among them any more: it waits for something of its own.
 *
 * A burst is no overload, and nothing tells the one from the other but time. So nobody is refused until work has waited for twice
 * MAX_WAIT_MS without a break, and more keeps coming. Whoever has waited too long until then stands back behind those who
 * are in time, so that their answers do not come too late as well, and has its turn when the burst is over.
 */
import { BusyError } from '../shared/errors.js';
import { Doorway } from './doorway.js';
import { LoadMeter } from './load-meter.js';
import { RunningClock } from './running-clock.js';

const TICK_MS = 20;
/** Of MAX_WAIT_MS: for how long work must have waited without a break before anybody is refused. */
const BURST_SHARE = 2;
/** A burst is over when less comes than this part of what is done. Callers who ask again once they are answered send as much as is done. */
const KEEPS_COMING_FROM = 0.5;
/** What may run at least, by weight, and for how long of MAX_WAIT_MS what runs may take: while the event loop is busy, and while it is not. */
const WHILE_BUSY = { atLeast: 40, share: 0.01 };
const WHILE_IDLE = { atLeast: 64, share: 0.75 };
/** The event loop is busy when it worked for more than this part of the time since the last tick. */
const BUSY_FROM = 0.8;
/** What bodies and variables of the waiting may take together. */
const WAITING_BYTES_MAX = 67_108_864;
/** Points of estimated cost that take about as long as all that an operation costs besides. */
const COST_OF_ONE = 10;
const RETRY_AFTER_MAX_MS = 30_000;

export interface GateBounds {
  readonly waitMaxMs: number;
  /** What runs and what waits, together. */
  readonly operationsMax: number;
}

/** What is known of a piece of work before it begins. */
export interface Demand {
  /** In points, as estimated. */
  readonly cost: number;
  /** Of what it holds in memory while it waits. */
  readonly bytes: number;
  /** Whether whoever asked has left: then nothing is done. */
  isGone?(): boolean;
  /** Called when it is refused: what it has cost the caller is given back. */
  giveBack?(): void;
}

/** What the gate reads from the machine. */
export interface Instruments {
  /** Milliseconds of a clock that is never set. */
  nowMs(): number;
  /** For what part of the time since it was asked before the event loop worked. */
  loopLoad(): number;
  /** From 0 to 1: spreads those who come back. */
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

export const BUSY_MESSAGE = 'The server has too much to do';
const LEAST: Demand = { cost: 0, bytes: 0 };

interface Waiting {
  readonly weight: number;
  readonly demand: Demand;
  readonly sinceMs: number;
  begin(): void;
  refuse(error: BusyError): void;
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
  /** In their order: those who are in time, and those who stand back. */
  readonly #waiting: Waiting[] = [];
  readonly #late: Waiting[] = [];
  #waitingWeight = 0;
  #waitingBytes = 0;
  /** What has begun, the first first; what began longer ago than MAX_WAIT_MS is not in it. */
  readonly #fresh: Running[] = [];
  #freshCount = 0;
  #freshWeight = 0;
  #running = 0;
  #refused = 0;
  /** Until nobody has waited for some time. */
  #overloaded = false;
  #loopBusy = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly bounds: GateBounds,
    private readonly instruments: Instruments = ownInstruments(),
  ) {
    this.#clock = new RunningClock(() => instruments.nowMs());
    this.#load = new LoadMeter(bounds.waitMaxMs);
  }

  /** For metrics. */
  get health() {
    return {
      running: this.#running,
      waiting: this.#waiting.length + this.#late.length,
      waitingBytes: this.#waitingBytes,
      refused: this.#refused,
    };
  }

  /** A client has connected. */
  noteConnection(): void {
    this.#doorway.noteConnection();
  }

  /** Ask before an operation has cost anything. Whoever gets no for an answer is to be refused. */
  hasRoom(): boolean {
    const nowMs = this.#clock.nowMs();
    const weight = this.#usualWeight;
    if (this.#mayWait(weight, LEAST.bytes, nowMs)) return true;
    this.#load.addCome(weight, nowMs);
    this.#refused += 1;
    return false;
  }

  /** @throws BusyError there is no room */
  requireRoom(): void {
    if (!this.hasRoom()) throw this.busy();
  }

  /** What those are told who are refused. */
  busy(): BusyError {
    return new BusyError(BUSY_MESSAGE, this.retryAfterMs());
  }

  /**
   * Does the work as soon as it is its turn.
   * @throws BusyError there is no room, or its turn came too late: the work has not begun
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
      this.#refused += 1;
      demand.giveBack?.();
      throw this.busy();
    }
    if (!this.#load.somebodyWaits) {
      this.#load.stand(nowMs);
      this.#load.addCome(weight, nowMs);
    }
    return new Promise((resolve, refuse) => {
      const begin = () => resolve(this.#begin(weight, this.#clock.nowMs())); // the place is taken before the work begins
      this.#waiting.push({ weight, demand, sinceMs: nowMs, begin, refuse });
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

  /** It does not count any more when it is asked how much runs. */
  #forget(running: Running): void {
    running.done = true;
    this.#freshCount -= 1;
    this.#freshWeight -= running.weight;
  }

  #mayBegin(weight: number, nowMs: number): boolean {
    for (let first = this.#fresh[0]; first; first = this.#fresh[0]) {
      if (!first.done && nowMs - first.sinceMs <= this.bounds.waitMaxMs) break;
      if (!first.done) this.#forget(first);
      this.#fresh.shift();
    }
    if (this.#running >= this.bounds.operationsMax) return false;
    const { atLeast, share } = this.#loopBusy ? WHILE_BUSY : WHILE_IDLE;
    const seconds = (share * this.bounds.waitMaxMs) / 1000;
    const most = Math.max(atLeast, this.#load.donePerSecond(nowMs) * seconds);
    return this.#freshCount === 0 || this.#freshWeight + weight <= most;
  }

  /** Of what is not known yet: what those weigh who wait. Fewer are let in, and read, only to be refused then. */
  get #usualWeight(): number {
    return this.#waiting.length > 0 ? this.#waitingWeight / this.#waiting.length : weightOf(LEAST);
  }

  #mayWait(weight: number, bytes: number, nowMs: number): boolean {
    const held = this.#running + this.#waiting.length + this.#late.length;
    if (held >= this.bounds.operationsMax || this.#waitingBytes + bytes > WAITING_BYTES_MAX) return false;
    if (this.#load.isCalm(nowMs)) this.#overloaded = false;
    if (this.#estimateMs(weight) <= this.bounds.waitMaxMs) return true;
    if (!this.#load.somebodyWaits && this.#mayBegin(weight, nowMs)) return true;
    this.#overloaded ||= this.#isBeyondBurst(nowMs);
    return !this.#overloaded;
  }

  #isBeyondBurst(nowMs: number): boolean {
    if (this.#load.waitingForMs(nowMs) < BURST_SHARE * this.bounds.waitMaxMs) return false;
    return this.#load.comePerSecond(nowMs) > this.#load.donePerSecond(nowMs) * KEEPS_COMING_FROM;
  }

  /** How long it takes to do all that is held in time, and so much more. */
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
    if (this.#waiting.length + this.#late.length === 0) this.#load.rest(nowMs);
  }

  /** Whose turn it is. On the way, whoever has left or has waited too long makes room. */
  #next(nowMs: number): Waiting | undefined {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      if (first.demand.isGone?.()) this.#refuseFirst(this.#waiting);
      else if (nowMs - first.sinceMs + this.#runMs(nowMs) <= this.bounds.waitMaxMs) return first;
      else if (this.#overloaded) this.#refuseFirst(this.#waiting);
      else this.#standBack();
    }
    while (this.#late[0]?.demand.isGone?.()) this.#refuseFirst(this.#late);
    return this.#late[0];
  }

  /** How long what begins now will run, as far as that is known. */
  #runMs(nowMs: number): number {
    const perSecond = this.#load.donePerSecond(nowMs);
    return perSecond > 0 ? (this.#freshWeight / perSecond) * 1000 : 0;
  }

  #standBack(): void {
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

  #refuseFirst(line: Waiting[]): void {
    this.#refused += 1;
    const first = this.#take(line);
    first?.demand.giveBack?.();
    first?.refuse(this.busy());
  }

  /** While nothing runs and nobody waits, there is nothing to watch. */
  #watch(): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  #tick(): void {
    this.#timer = null;
    this.#loopBusy = this.instruments.loopLoad() > BUSY_FROM;
    const nowMs = this.#clock.nowMs();
    this.#callWaiting(nowMs);
    this.#overloaded ||= this.#late.length > 0 && this.#isBeyondBurst(nowMs);
    while (this.#overloaded && this.#late.length > 0) this.#refuseFirst(this.#late);
    if (this.#running > 0) this.#watch();
  }

  /** When there will be room for all who are refused now, if they keep coming as they do; spread, so that they do not come together. */
  retryAfterMs(): number {
    const nowMs = this.#clock.nowMs();
    const { waitMaxMs } = this.bounds;
    const excess = this.#load.comePerSecond(nowMs) / this.#load.donePerSecond(nowMs);
    const estimate = Math.max(waitMaxMs, this.#estimateMs(0)) * Math.max(1, excess);
    const within = Math.min(estimate, RETRY_AFTER_MAX_MS); // also when nothing was done at all
    return Math.ceil((Number.isNaN(within) ? waitMaxMs : within) * (0.5 + this.instruments.random()));
  }
}

/** An operation is 1, and what its cost adds. */
const weightOf = ({ cost }: Demand): number => 1 + cost / COST_OF_ONE;
