/** A character that is played: follows what it sees, sends what it does, and keeps both over reloads. */
import { useEffect, useMemo } from 'react';
import { connectionStore } from '../../api/socket.js';
import { follow } from '../../api/subscription.js';
import { createStore, type Store, useStore } from '../../kit/base/store.js';
import { type ExploredMap, emptyMap, explore, type WalkStep } from '../map/explored.js';
import type { Act, Outcome } from './act.js';
import { RoomChangedDocument } from './documents.js';
import type { Kept } from './kept.js';
import { keptOf } from './kept-here.js';
import { add, emptyLog, forget, hear, isOvertaken, type Log, resume } from './log.js';
import { movesOf } from './moves.js';
import { type Outbox, openOutbox, type Waiting } from './outbox.js';
import { seen } from './seen.js';
import { sendAct } from './send-act.js';
import type { Screen } from './types.js';

export interface PlayState {
  /** Null until the server has told it. */
  readonly screen: Screen | null;
  readonly log: Log;
  readonly map: ExploredMap;
  readonly waiting: readonly Waiting[];
  /** Why the server does not let the character be played. */
  readonly refused: string | null;
}

export interface Play {
  readonly state: Store<PlayState>;
  /** @returns stops */
  start(): () => void;
  /** @param words shown as if they had been typed */
  act(act: Act, words: string): void;
  /** Goes through several exits. @param words shown as if they had been typed */
  walk(steps: readonly WalkStep[], words: string): void;
  discard(): void;
}

/** Between attempts while the connection seems to be up. */
const RETRY_MS = 2_000;
const WRITE_AFTER_MS = 300;

export function openPlay(characterId: string): Play {
  const kept = keptOf(characterId);
  const state = createStore<PlayState>({
    screen: null,
    log: kept.read<Log>('log') ?? emptyLog,
    map: kept.read<ExploredMap>('map') ?? emptyMap,
    waiting: [],
    refused: null,
  });
  let outbox: Outbox | null = null;
  const note = (some: Partial<PlayState>) => state.set({ ...state.get(), ...some });

  const see = (screen: Screen) => {
    const { screen: before, log, map } = state.get();
    if (before !== null && isOvertaken(log, screen)) return;
    const moves = log.shown === null ? [] : movesOf(screen, log.shown);
    const next = before === null ? resume(log, screen) : hear(log, screen);
    note({ screen, log: next, map: explore(map, screen.location, moves) });
  };
  /** An act has its outcome when the screen shows it, so that the next one, or its refusal, does not come before it. */
  const send = async (act: Act, key: string) => {
    const outcome = await sendAct(characterId, act, key);
    if (outcome.is === 'done') await seen(state, ({ log }) => (log.shown ?? 0) >= outcome.number, isLive);
    return outcome;
  };
  const take = (_sent: Waiting, outcome: Exclude<Outcome, { is: 'open' }>) => {
    if (outcome.is === 'done') return;
    const { message: text, suggestions } = outcome;
    note({ log: add(state.get().log, { kind: 'told', text, suggestions }) });
  };
  const begin = (first: Waiting | undefined, words: string) => {
    if (!first) return;
    note({ log: add(state.get().log, { kind: 'typed', key: first.key, text: words }) });
    void outbox?.flush();
  };

  return {
    state,
    start: () => {
      const box = openOutbox({
        kept,
        send,
        wait: waitForServer,
        onChange: (waiting) => note({ waiting }),
        onOutcome: take,
        onForgotten: (forgotten) => note({ log: forget(state.get().log, forgotten) }),
      });
      outbox = box;
      const stopWriting = keepWriting(state, kept);
      const stopFollowing = follow(
        RoomChangedDocument,
        { characterId },
        {
          event: ({ character }) => {
            see(character);
            void box.flush(); // what a reload has interrupted
          },
          refused: (message) => note({ refused: message }),
        },
      );
      return () => {
        stopFollowing();
        box.close();
        stopWriting();
        outbox = null;
      };
    },
    act: (act, words) => begin(outbox?.add(act, words), words),
    walk: (steps, words) => begin(outbox?.addWalk(steps), words),
    discard: () => outbox?.discard(),
  };
}

const isLive = () => connectionStore.get().phase === 'live';

/** Until the connection is back, or a moment has passed while it is not known to be away. */
function waitForServer(): Promise<void> {
  return new Promise((resolve) => {
    const isAway = () => connectionStore.get().phase === 'offline';
    const go = () => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(go, RETRY_MS);
    const stop = connectionStore.subscribe(() => isAway() || go());
  });
}

/** Writes the log and the map to the browser's storage, a moment after they have changed and when the page is left. */
function keepWriting(state: Store<PlayState>, kept: Kept): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let written = state.get();
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    const { log, map } = state.get();
    if (log !== written.log) kept.write('log', log);
    if (map !== written.map) kept.write('map', map);
    written = state.get();
  };
  const stop = state.subscribe(() => {
    timer ??= setTimeout(write, WRITE_AFTER_MS);
  });
  window.addEventListener('pagehide', write);
  return () => {
    stop();
    window.removeEventListener('pagehide', write);
    write();
  };
}

/** @returns the played character and its current state */
export function usePlay(characterId: string): Play & { readonly now: PlayState } {
  const play = useMemo(() => openPlay(characterId), [characterId]);
  useEffect(() => play.start(), [play]);
  const now = useStore(play.state);
  return useMemo(() => ({ ...play, now }), [play, now]);
}
