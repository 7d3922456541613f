/**
 * The acts of a character that have no outcome yet, sent one after the other. They are kept in the browser's storage, each
 * under a key of its own, so that a reload sends them again and two windows do not overwrite each other's. Each has an
 * idempotency key from the beginning: sent twice, it is done once.
 */
import { newKey } from '../../api/new-key.js';
import type { WalkStep } from '../map/explored.js';
import type { Act, Outcome } from './act.js';
import type { Kept } from './kept.js';

export interface Waiting {
  readonly key: string;
  readonly act: Act;
  /** When it was typed or chosen. */
  readonly at: number;
  /** Of a walk through several rooms: if a step is refused or leads elsewhere, the others are not done. */
  readonly step?: { readonly walk: string; readonly to: string };
}

interface OutboxOptions {
  readonly kept: Kept;
  readonly send: (act: Act, key: string) => Promise<Outcome>;
  /** Resolves when another attempt makes sense. */
  readonly wait: () => Promise<void>;
  readonly onChange: (waiting: readonly Waiting[]) => void;
  readonly onOutcome: (waiting: Waiting, outcome: Exclude<Outcome, { is: 'open' }>) => void;
}

export interface Outbox {
  add(act: Act): Waiting;
  /** @returns the first one */
  addWalk(steps: readonly WalkStep[]): Waiting | undefined;
  /** Sends what waits, until nothing does. */
  flush(): Promise<void>;
  /** Gives up all but the one that is on its way. */
  discard(): void;
  /** Sends nothing from now on. */
  close(): void;
}

const PREFIX = 'waiting/';
/** The server remembers keys for longer than this, and nobody wants to go north an hour later. */
export const KEPT_MS = 3_600_000;

export function openOutbox({ kept, send, wait, onChange, onOutcome }: OutboxOptions, now = Date.now()): Outbox {
  let waiting: readonly Waiting[] = readKept(kept, now);
  let sending: Promise<void> | null = null;
  let isClosed = false;

  const set = (next: readonly Waiting[]) => {
    for (const { key } of waiting) if (!next.some((each) => each.key === key)) kept.remove(PREFIX + key);
    waiting = next;
    onChange(waiting);
  };
  const work = async () => {
    for (let first = waiting[0]; first && !isClosed; first = waiting[0]) {
      const one = first;
      const outcome = await send(one.act, one.key);
      if (isClosed) return;
      if (outcome.is === 'open') {
        await wait();
        continue;
      }
      onOutcome(one, outcome);
      const isWrong = one.step && (outcome.is === 'refused' || outcome.at !== one.step.to);
      set(waiting.filter(({ key, step }) => key !== one.key && !(isWrong && step?.walk === one.step?.walk)));
    }
  };
  const put = (...added: readonly Waiting[]) => {
    for (const each of added) kept.write(PREFIX + each.key, each);
    set([...waiting, ...added]);
  };
  onChange(waiting);
  return {
    add: (act) => {
      const added = { key: newKey(), act, at: Date.now() };
      put(added);
      return added;
    },
    addWalk: (steps) => {
      const walk = newKey();
      const added = steps.map(({ direction, to }, index) => ({
        key: newKey(),
        act: { do: 'move', direction } as const,
        at: Date.now() + index, // by which they are sorted after a reload
        step: { walk, to },
      }));
      put(...added);
      return added[0];
    },
    flush: async () => {
      sending ??= work().finally(() => {
        sending = null;
      });
      await sending;
    },
    discard: () => set(waiting.slice(0, sending ? 1 : 0)),
    close: () => {
      isClosed = true;
    },
  };
}

function readKept(kept: Kept, now: number): readonly Waiting[] {
  const found = kept.names(PREFIX).flatMap((name) => {
    const waiting = kept.read<Waiting>(name);
    if (waiting && waiting.at > now - KEPT_MS) return [waiting];
    kept.remove(name);
    return [];
  });
  return found.toSorted((a, b) => a.at - b.at);
}
