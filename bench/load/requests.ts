/**
 * A process that sends requests: keep-alive connections on raw sockets, each with one request in flight. One round per
 * message.
 */
import { connect } from 'node:net';
import { percentile } from '../support/measure.js';
import { answerMessages } from './program.js';
import { isWhole, statusOf } from './request-text.js';

export interface RequestsOptions {
  readonly port: number;
  readonly connections: number;
  readonly requests: number;
  /** Whole requests, sent in turn. */
  readonly messages: readonly string[];
  /** What every response must have. Default: 200, and no `errors`. */
  readonly status?: number;
}

export interface RequestsAnswer {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

function run({ port, connections, requests, messages: texts, status }: RequestsOptions): Promise<RequestsAnswer> {
  const messages = texts.map((text) => Buffer.from(text));
  const times: number[] = [];
  let started = 0;
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    const open = () => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let sent = 0;
      let rest: Buffer | null = null;
      const next = () => {
        if (started >= requests) return void socket.end();
        sent = performance.now();
        socket.write(messages[started % messages.length] as Buffer);
        started += 1;
      };
      socket.on('connect', next).on('error', reject);
      socket.on('data', (chunk: Buffer) => {
        rest = rest ? Buffer.concat([rest, chunk]) : chunk;
        if (!isWhole(rest)) return;
        if (!isGood(rest, status)) return reject(new Error(rest.toString('utf8', 0, 2000)));
        rest = null;
        times.push(performance.now() - sent);
        if (times.length === requests) {
          const perSecond = (requests / (performance.now() - begin)) * 1000;
          resolve({ perSecond, p50: percentile(times, 0.5), p99: percentile(times, 0.99) });
        }
        next();
      });
    };
    for (let i = 0; i < connections; i += 1) open();
  });
}

function isGood(data: Buffer, status: number | undefined): boolean {
  if (status !== undefined) return statusOf(data) === String(status);
  return statusOf(data) === '200' && !data.subarray(0, 2000).includes('"errors"');
}

answerMessages(run);
