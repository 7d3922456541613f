/**
 * A process that sends many concurrent requests, each on its own connection, or as operations on ten sockets. Repeats
 * this `times` times.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { subscribe } from '../../harness/subscriber-socket.js';
import { answerMessages } from './program.js';
import { isWhole, statusOf } from './request-text.js';

export interface BurstOptions {
  readonly port: number;
  readonly count: number;
  readonly times: number;
  /** Complete requests, sent in turn; or an operation to send on sockets. */
  readonly what: { readonly requests: readonly string[] } | { readonly query: string; readonly init: object };
}

export interface BurstAnswer {
  /** Milliseconds until the last response, per repetition. */
  readonly lastMs: readonly number[];
  /** How many were not answered successfully, per repetition. */
  readonly refused: readonly number[];
}

const SOCKETS = 10;

async function run({ port, count, times, what }: BurstOptions): Promise<BurstAnswer> {
  const lastMs: number[] = [];
  const refused: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const [good, ms] = await ('requests' in what
      ? sendRequests(port, what.requests, count)
      : sendOperations(port, what, count));
    lastMs.push(ms);
    refused.push(count - good);
  }
  return { lastMs, refused };
}

/** @returns how many were answered successfully, and how long the last one took */
async function sendRequests(port: number, requests: readonly string[], count: number): Promise<[number, number]> {
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      await once(socket, 'connect');
      return socket;
    }),
  );
  const begin = performance.now();
  const good = await Promise.all(
    sockets.map(
      (socket, index) =>
        new Promise<boolean>((resolve, reject) => {
          let data = Buffer.alloc(0);
          socket.on('error', reject).on('data', (chunk: Buffer) => {
            data = Buffer.concat([data, chunk]);
            if (!isWhole(data)) return;
            socket.destroy();
            const status = statusOf(data);
            resolve(status === '204' || (status === '200' && !data.includes('"errors"')));
          });
          socket.write(requests[index % requests.length] ?? '');
        }),
    ),
  );
  return [good.filter(Boolean).length, performance.now() - begin];
}

async function sendOperations(
  port: number,
  { query, init }: { readonly query: string; readonly init: object },
  count: number,
): Promise<[number, number]> {
  const begin = performance.now();
  let [good, answered] = [0, 0];
  const open: Promise<{ destroy(): void }>[] = [];
  await new Promise<void>((resolve, reject) => {
    for (let number = 0; number < SOCKETS; number += 1) {
      const take = (isGood: boolean) => {
        answered += 1;
        if (isGood) good += 1;
        if (answered === count) resolve();
      };
      const socket = subscribe({
        port,
        init,
        subscription: { query, operationName: 'Hit', variables: {} },
        operations: count / SOCKETS,
        onNext: (buffer, start, end) => take(!buffer.subarray(start, end).includes('"errors"')),
        onEnd: (text) => text.includes('"type":"error"') && take(false),
      });
      socket.catch(reject);
      open.push(socket);
    }
  });
  const ms = performance.now() - begin;
  for (const socket of open) (await socket).destroy();
  return [good, ms];
}

answerMessages(run);
