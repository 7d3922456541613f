/** The latest period in which anybody had sessions: where somebody begins to look who has not said where. */
import { useCallback, useEffect, useState } from 'react';
import type { RollUpLevel } from '../../generated/graphql.js';
import { explainError, forgetfulClient } from '../client.js';
import { usePolling } from '../parts/polling.js';
import type { Answer } from '../parts/use-data.js';
import { DAY_MS, slotEnd, slotStart } from '../traffic/slots.js';
import { SessionStatsDocument } from './session-data.js';

const EARLIEST_MS = 0;
/** Sessions begin at most a day ahead. */
const AHEAD_MS = DAY_MS;
const POLL_MS = 15_000;

/** @returns when the first period begins that has sessions from `from` on; null: none has. @throws CombinedError */
async function firstPeriod(level: RollUpLevel, from: number, to: number): Promise<number | null> {
  if (from >= to) return null;
  const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const { data, error } = await forgetfulClient.query(SessionStatsDocument, { level, range, first: 1 }).toPromise();
  if (!data) throw error;
  const [edge] = data.sessionStats.edges;
  return edge ? Date.parse(edge.node.at) : null;
}

/** Found by halving, since periods are listed oldest first: some ten small queries, each by the index. @throws CombinedError */
async function findLatestPeriod(level: RollUpLevel, now: number): Promise<number | null> {
  const end = slotEnd(slotStart(now + AHEAD_MS, level), level);
  let known = await firstPeriod(level, slotStart(now, level), end); // where somebody is at work just now
  known ??= await firstPeriod(level, EARLIEST_MS, end);
  if (known === null) return null;
  let none = end; // no period with sessions begins here or later
  for (let next = slotEnd(known, level); next < none; next = slotEnd(known, level)) {
    const middle = Math.max(next, slotStart((next + none) / 2, level));
    const found: number | null = await firstPeriod(level, middle, none);
    if (found === null) none = middle;
    else known = found;
  }
  return known;
}

interface Latest {
  readonly level: RollUpLevel;
  /** Null: there is none. */
  readonly at: number | null;
}

export function useLatestPeriod(level: RollUpLevel): Answer<Latest> {
  const [known, setKnown] = useState<Latest | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const again = useCallback(() => setRound((before) => before + 1), []);
  usePolling(again, POLL_MS);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round looks again
  useEffect(() => {
    let isOver = false;
    findLatestPeriod(level, Date.now()).then(
      (at) => {
        if (isOver) return;
        setKnown({ level, at });
        setError(null);
      },
      (failure) => isOver || setError(explainError(failure)),
    );
    return () => {
      isOver = true;
    };
  }, [level, round]);
  return { data: known?.level === level ? known : null, error, again };
}
