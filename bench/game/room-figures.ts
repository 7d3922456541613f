/** What is measured in a crowded room, and its report. */
import type { Db } from 'mongodb';
import { cpuMicros } from '../../harness/process-usage.js';
import { PLAYERS_MAX } from '../../src/models/game/world/location.js';
import type { Findings, Verdict } from '../support/benchmark.js';
import type { Contestant } from '../support/contestants.js';
import { databaseMicros } from '../support/database-cpu.js';
import { percentile, type Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';
import type { Crowd } from './crowd.js';

export const SECONDS = 20;
const contestants = ['product', 'floor'] as const;
export type Name = (typeof contestants)[number];
/** A smaller crowd, and as many as fit into a room. */
export const CROWDS = [50, PLAYERS_MAX] as const;

export const cell = (players: number, name: Name): string => `${players} ${name}`;

export const headings = {
  p50: 'ms until the last one has it, p50',
  p99: 'p99',
  answer: 'ms until the answer, p50',
  messages: 'messages per player and second',
  happenings: 'happenings per message',
  bytes: 'kB per message',
  server: 'CPU µs per message, server',
  database: 'database',
  lost: 'happenings lost',
  refused: 'acts sent again',
} as const;
export type Figure = keyof typeof headings;
export type Figures = Readonly<Record<Figure, number>>;

interface Cost {
  readonly seconds: number;
  /** Microseconds. */
  readonly server: number;
  readonly database: number;
}

export async function costOf(db: Db, { pid }: Contestant, work: () => Promise<void>): Promise<Cost> {
  const [server, database, begin] = [cpuMicros(pid), await databaseMicros(db), performance.now()];
  await work();
  return {
    seconds: (performance.now() - begin) / 1000,
    server: cpuMicros(pid) - server,
    database: (await databaseMicros(db)) - database,
  };
}

export interface Run extends Cost {
  readonly players: number;
  readonly count: number;
  readonly sentAt: readonly number[];
  readonly answered: readonly number[];
  readonly refused: number;
}

export function figuresOf(
  crowd: Crowd,
  { players, count, sentAt, answered, refused, seconds, server, database }: Run,
): Figures {
  const { lastAt, messages, bytes, lost } = crowd.arrived;
  // What the first player has lost is not in it.
  const latencies = sentAt.flatMap((sent, place) => (lastAt[place] ?? Number.NaN) - sent);
  return {
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    answer: percentile(answered, 0.5),
    messages: messages / players / seconds,
    happenings: (count * players) / messages,
    bytes: bytes / messages / 1000,
    server: server / messages,
    database: database / messages,
    lost,
    refused,
  };
}

export function report(figures: Readonly<Record<Figure, Rounds>>, rounds: number): Findings {
  const all = Object.values(figures);
  return {
    verdicts: [
      ...CROWDS.flatMap((players): Verdict[] => [
        {
          row: `p50 from an act to the last of ${players} players, each acting every 2 seconds`,
          against: '',
          measured: figures.p50.median(cell(players, 'product')),
          bound: 'at most',
          goal: 1000,
          unit: ' ms',
        },
        {
          row: `happenings that one of ${players} players did not get`,
          against: '',
          measured: figures.lost.median(cell(players, 'product')),
          bound: 'at most',
          goal: 0,
        },
      ]),
    ],
    tables: [
      {
        columns: ['players', 'server', ...Object.values(headings), 'CPU of the server ÷ floor'],
        rows: CROWDS.flatMap((players) =>
          contestants.map((name) => [
            String(players),
            name,
            ...all.map((figure) => format(figure.median(cell(players, name)))),
            format(figures.server.ratio(cell(players, name), cell(players, 'floor'))),
          ]),
        ),
      },
    ],
    notes: [
      `${roundsOf(rounds)} of ${SECONDS} seconds. ${CROWDS.join(' or ')} players, each with an account and a socket, in a room with as many lamps. Each acts every 2 seconds: says something, takes its lamp, says something, drops its lamp. A message is a screen: the room with all players and what lies there, what the player carries, and the last 100 happenings. Changes that follow each other closely come as one message. A player whose act is not answered yet waits with the next one. The players’ sockets are in the process that measures, on the same two processors as the server and the database.`,
      'The floor broadcasts one buffer to all sockets, as many bytes and as often as the product does. Its CPU of the database is that of one update for each broadcast; the product’s includes the acts and the copies of the room in all characters.',
    ],
  };
}
