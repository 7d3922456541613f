/**
 * A process that sends requests at a given rate, whether or not answers come: as many people do who know nothing of each other. Time
 * counts from the moment at which a request was due, so a server that is late makes all that follow late as well.
 */
import { connect, type Socket } from 'node:net';
import { percentile } from '../measure.js';
import { answerMessages } from './program.js';
import { head, isWhole } from './request-text.js';

export interface ArrivalsOptions {
  readonly port: number;
  readonly authorization: string | null;
  readonly perSecond: number;
  readonly seconds: number;
  /** JSON bodies, sent in turn. */
  readonly bodies: readonly string[];
}

export interface ArrivalsAnswer {
  readonly sent: number;
  readonly accepted: Times;
  /** Answered with 503. */
  readonly refused: Times;
}

export interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
}

/** Far more than are on their way at once where answers come soon. */
const CONNECTIONS = 400;
const STATUS_AT = 'HTTP/1.1 '.length;

/** A keep-alive connection with at most one request on its way. */
interface Line {
  readonly socket: Socket;
  dueMs: number;
  rest: Buffer | null;
}

async function run(options: ArrivalsOptions): Promise<ArrivalsAnswer> {
  const { port, authorization, perSecond, seconds, bodies } = options;
  const messages = bodies.map((body) => Buffer.from(`${head(authorization, Buffer.byteLength(body))}${body}`));
  const times: Record<string, number[]> = { 200: [], 503: [] };
  const total = Math.round(perSecond * seconds);
  const lines = await openLines(port);
  const free = [...lines];
  let sent = 0;
  let answered = 0;

  return new Promise((resolve, reject) => {
    const beginMs = performance.now();
    const dueAt = (index: number) => beginMs + (index / perSecond) * 1000;
    /** Sends what is due, as long as a connection is free; what waits for one is late, and its time counts. */
    const sendDue = () => {
      const due = Math.min(total, 1 + Math.floor(((performance.now() - beginMs) / 1000) * perSecond));
      while (sent < due) {
        const line = free.pop(); // the one used last
        if (!line) return;
        line.dueMs = dueAt(sent);
        line.socket.write(messages[sent % messages.length] as Buffer);
        sent += 1;
      }
    };
    const receive = (line: Line, chunk: Buffer) => {
      line.rest = line.rest ? Buffer.concat([line.rest, chunk]) : chunk;
      if (!isWhole(line.rest)) return;
      const ofStatus = times[line.rest.toString('latin1', STATUS_AT, STATUS_AT + 3)];
      if (!ofStatus) return reject(new Error(line.rest.toString('utf8', 0, 2000)));
      ofStatus.push(performance.now() - line.dueMs);
      line.rest = null;
      free.push(line);
      answered += 1;
      if (answered === total) finish();
      else sendDue();
    };
    const timer = setInterval(sendDue, 1);
    const finish = () => {
      clearInterval(timer);
      for (const { socket } of lines) socket.destroy();
      resolve({ sent, accepted: summary(times['200'] ?? []), refused: summary(times['503'] ?? []) });
    };
    for (const line of lines) line.socket.on('error', reject).on('data', (chunk: Buffer) => receive(line, chunk));
  });
}

function openLines(port: number): Promise<Line[]> {
  return Promise.all(
    Array.from(
      { length: CONNECTIONS },
      () =>
        new Promise<Line>((resolve, reject) => {
          const socket = connect({ port, host: '127.0.0.1', noDelay: true });
          socket.once('error', reject).once('connect', () => {
            socket.off('error', reject);
            resolve({ socket, dueMs: 0, rest: null });
          });
        }),
    ),
  );
}

const summary = (times: readonly number[]): Times => ({
  count: times.length,
  p50: percentile(times, 0.5),
  p99: percentile(times, 0.99),
});

answerMessages(run);
