/**
 * A scenario lets a real process kill itself at a failpoint, and then checks what a fresh server does with the remains: acknowledged
 * work is there; unacknowledged work is either completely there or completely absent.
 */
import type { Db } from 'mongodb';
import type { TestSettings } from '../../harness/exceptions.js';
import type { Product, ProductClient } from '../../harness/product.js';

interface CommonScenario<Seen> {
  /**
   * Failpoints that this scenario passes, and on which pass the process dies. On the first one there may be nothing to recover yet.
   */
  readonly failpoints: Readonly<Record<string, number>>;
  /** Settings that it needs. */
  readonly environment?: TestSettings;
  /** With a fresh server: waits for the recovery, then checks the client's view with `expect`. */
  judge(product: ProductClient, db: Db, seen: Seen): Promise<void>;
}

/** A server dies while it handles requests. */
export interface ServerScenario<Seen> extends CommonScenario<Seen> {
  /** Sends real operations until the connection breaks. @returns the client's view: what was acknowledged, what was sent */
  act(product: Product, db: Db): Promise<Seen>;
}

/** `sextant recover` dies while it handles what another process left: it does the same as a server's jobs, without their delays. */
export interface WorkerScenario<Seen> extends CommonScenario<Seen> {
  /** Creates what the dead process left. */
  leave(db: Db): Promise<Seen>;
}

/** A program of the tests dies: it runs the product's code for something that no domain has, for example background work of another kind. */
export interface ProgramScenario<Seen> extends CommonScenario<Seen> {
  /** Its path in the project. */
  readonly program: string;
  /** More environment for it, besides the database and the failpoint. */
  readonly variables: Readonly<Record<string, string>>;
  /** The view of its user afterwards. */
  readonly seen: Seen;
}

export type Scenario<Seen> = ServerScenario<Seen> | WorkerScenario<Seen> | ProgramScenario<Seen>;

/** The response, or null when the connection broke: the process died, and the client does not know whether it was done. */
export async function answerOrNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof TypeError) return null; // fetch: the connection was refused, reset, or closed during the response
    throw error;
  }
}
