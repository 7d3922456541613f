/**
 * A scenario lets a real process kill itself at a failpoint, and then judges what a fresh server makes of what was left: what was
 * acknowledged is there, what was not is wholly there or wholly absent.
 */
import type { Db } from 'mongodb';
import type { TestSettings } from '../support/exceptions.js';
import type { Product, ProductClient } from '../support/product.js';

interface CommonScenario<Seen> {
  /**
   * Failpoints that this scenario passes, with the pass at which the process dies: not always the first, which may find nothing done before.
   */
  readonly failpoints: Readonly<Record<string, number>>;
  /** Settings that it needs. */
  readonly environment?: TestSettings;
  /** With a fresh server: waits for the recovery, then checks the client's view. Throws by `expect`. */
  judge(product: ProductClient, db: Db, seen: Seen): Promise<void>;
}

/** A server dies while it answers. */
export interface ServerScenario<Seen> extends CommonScenario<Seen> {
  /** Sends real operations until the connection breaks. @returns what the client saw: what was acknowledged, what was sent */
  act(product: Product, db: Db): Promise<Seen>;
}

/** `sextant recover` dies while it sees to what another process has left: it does what the jobs of a server do, without their waits. */
export interface WorkerScenario<Seen> extends CommonScenario<Seen> {
  /** Makes what the dead process has left. */
  leave(db: Db): Promise<Seen>;
}

export type Scenario<Seen> = ServerScenario<Seen> | WorkerScenario<Seen>;

/** The answer, or null when the connection broke: the process died, and the client does not know whether it was done. */
export async function answerOrNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof TypeError) return null; // fetch: the connection was refused, reset, or closed in mid-answer
    throw error;
  }
}
