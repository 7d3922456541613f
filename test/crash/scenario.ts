/**
 * A scenario sends real operations to a real server process that kills itself at a failpoint, and then judges what a fresh process
 * makes of what was left: what was acknowledged is there, what was not is wholly there or wholly absent.
 */
import type { Db } from 'mongodb';
import type { Product } from '../support/product.js';

export interface Scenario<Seen> {
  /** Failpoints that this scenario passes, with the pass at which the process dies: not always the first, which may find nothing done before. */
  readonly failpoints: Readonly<Record<string, number>>;
  /** Settings that it needs. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Sends operations until the connection breaks. @returns what the client saw: what was acknowledged, what was sent */
  act(product: Product, db: Db): Promise<Seen>;
  /** With a fresh process: waits for the recovery, then checks the client's view. Throws by `expect`. */
  judge(product: Product, db: Db, seen: Seen): Promise<void>;
}

/** The answer, or null when the connection broke: the process died, and the client does not know whether it was done. */
export async function answerOrNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof TypeError) return null; // fetch: the connection was refused, reset, or closed in mid-answer
    throw error;
  }
}
