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
  /** As the terminal shows it. Absent in what earlier releases have kept. */
  readonly words?: string;
  /** When it was typed or chosen. */
  readonly at: number;
  /** No page has begun to send it. Absent in what earlier releases have kept. */
  readonly isUnsent?: boolean;
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
  /** Of those that are not unsent, nobody knows whether they were done. */
  readonly onForgotten: (forgotten: readonly Waiting[]) => void;
}

export interface Outbox {
  add(act: Act, words: string): Waiting;
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

/** @param now by the clock on the wall: that of a timer stands still while the machine sleeps */
export function openOutbox(
  { kept, send, wait, onChange, onOutcome, onForgotten }: OutboxOptions,
  now: () => number = Date.now,
): Outbox {
  let waiting = readKept(kept);
  let sending: Promise<void> | null = null;
  let isClosed = false;

  const set = (next: readonly Waiting[]) => {
    for (const { key } of waiting) if (!next.some((each) => each.key === key)) kept.remove(PREFIX + key);
    waiting = next;
    onChange(waiting);
  };
  const forgetOld = () => {
    const old = findOld(waiting, now());
    if (old.length === 0) return;
    const told = old.map((each) => ({ ...each, isUnsent: isUnsent(kept, each) })); // asked before the storage forgets it
    set(waiting.filter((each) => !old.includes(each)));
    onForgotten(told);
  };
  const noteSent = (one: Waiting) => {
    const sent = { ...one, isUnsent: false };
    kept.write(PREFIX + one.key, sent);
    waiting = waiting.map((each) => (each === one ? sent : each));
  };
  const work = async () => {
    while (!isClosed) {
      forgetOld(); // guard: the server still knows the key of what is sent again
      const [one] = waiting;
      if (!one) return;
      if (one.isUnsent) noteSent(one);
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
  forgetOld();
  return {
    add: (act, words) => {
      const added = { key: newKey(), act, words, at: now(), isUnsent: true };
      put(added);
      return added;
    },
    addWalk: (steps) => {
      const walk = newKey();
      const added = steps.map(({ direction, to }, index) => ({
        key: newKey(),
        act: { do: 'move', direction } as const,
        words: `go ${direction}`,
        at: now() + index, // by which they are sorted after a reload
        isUnsent: true,
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

function readKept(kept: Kept): readonly Waiting[] {
  const found = kept.names(PREFIX).flatMap((name) => kept.read<Waiting>(name) ?? []);
  return found.toSorted((a, b) => a.at - b.at);
}

/** With the rest of their walks. */
function findOld(waiting: readonly Waiting[], now: number): readonly Waiting[] {
  const isOld = ({ at }: Waiting) => at <= now - KEPT_MS;
  const walks = new Set(waiting.filter(isOld).flatMap(({ step }) => step?.walk ?? []));
  return waiting.filter((each) => isOld(each) || walks.has(each.step?.walk ?? ''));
}

/** Another page may have sent it. */
const isUnsent = (kept: Kept, { key, isUnsent: here }: Waiting): boolean =>
  here === true && kept.read<Waiting>(PREFIX + key)?.isUnsent === true;
