/**
 * A process with many subscribers and the writer whose changes they wait for. It writes to MongoDB itself: the server
 * under test only delivers. Each write adds one hit to the same minute of a topic, so the n-th write has the count n. A
 * subscriber that has received the count n has seen all earlier ones, even if the server merged several changes into
 * one message.
 */
import type { Socket } from 'node:net';
import { type Collection, MongoClient } from 'mongodb';
import { subscribe } from '../../harness/subscriber-socket.js';
import { percentile } from '../measure.js';
import type { Answer, Request, SubscribersOptions } from './messages.js';
import { answerMessages } from './program.js';

const CONNECT_AT_ONCE = 50;

class Topic {
  readonly sentAt: number[] = [0];
  /** How many subscribers have reached each count. */
  readonly reached: number[] = [0];
}

class Subscribers {
  readonly #options: SubscribersOptions;
  readonly #hits: Collection<{ _id: string }>;
  readonly #topics: Topic[];
  readonly #perTopic: number;
  #delivered = 0;
  #sample = '';
  #latencies: number[] | null = null;
  /** Called when all subscribers of a topic have reached a count. */
  #onComplete: () => void = () => undefined;
  #nextTopic = 0;

  constructor(options: SubscribersOptions, client: MongoClient) {
    this.#options = options;
    this.#hits = client.db(options.database).collection('hits.daily');
    this.#topics = Array.from({ length: options.topics }, () => new Topic());
    this.#perTopic = options.subscribers / options.topics;
  }

  /** Subscribes, and writes until every subscriber has received a change: from then on no subscription is missing. */
  async connect(): Promise<void> {
    const { subscribers, topics } = this.#options;
    for (let first = 0; first < subscribers; first += CONNECT_AT_ONCE) {
      const group = Array.from({ length: Math.min(CONNECT_AT_ONCE, subscribers - first) }, (_, i) => first + i);
      await Promise.all(group.map((subscriber) => this.#subscribe(subscriber % topics)));
    }
    await this.#warm();
  }

  #subscribe(topic: number): Promise<Socket> {
    const { port, init, query, operationName, variables, site, snapshot } = this.#options;
    let latest = 0;
    let stateExpected = snapshot;
    return subscribe({
      port,
      init,
      subscription: { query, operationName, variables: { ...variables, site, page: `page-${topic}` } },
      onNext: (buffer, start, end) => {
        if (stateExpected) {
          stateExpected = false;
          return;
        }
        const count = countIn(buffer, start, end);
        this.#delivered += 1;
        if (this.#delivered % 1000 === 1) this.#sample = buffer.toString('utf8', start, end);
        this.#arrived(topic, latest, count);
        latest = Math.max(latest, count);
      },
      onEnd: (reason) => {
        throw new Error(reason); // otherwise the benchmark would wait for a disconnected subscriber
      },
    });
  }

  #arrived(topic: number, latest: number, count: number): void {
    const { sentAt, reached } = this.#topics[topic] as Topic;
    if (this.#latencies) this.#latencies.push(performance.now() - (sentAt[count] as number));
    for (let n = latest + 1; n <= count; n += 1) {
      reached[n] = (reached[n] ?? 0) + 1;
      if (reached[n] === this.#perTopic) this.#onComplete();
    }
  }

  async #warm(): Promise<void> {
    const numbers = this.#topics.map((_, topic) => topic);
    const isLate = (topic: number) => {
      const { reached, sentAt } = this.#topics[topic] as Topic;
      return reached[sentAt.length - 1] !== this.#perTopic || sentAt.length === 1;
    };
    for (let late = numbers; late.length > 0; late = numbers.filter(isLate)) {
      await Promise.all(late.map((topic) => this.#write(topic)));
      await new Promise((resolve) => setTimeout(resolve, 500)); // a subscription without a snapshot does not report when it has started
    }
  }

  async #write(topic: number): Promise<void> {
    const { site, slot } = this.#options;
    const at = new Date(slot);
    const page = `page-${topic}`;
    const day = at.toISOString().slice(0, 10);
    (this.#topics[topic] as Topic).sentAt.push(performance.now());
    await this.#hits.updateOne(
      { _id: `${day.replaceAll('-', '')}/${site}/${page}` },
      {
        $setOnInsert: { metadata: { date: new Date(day), site, page } },
        $inc: { [`hourly.${at.getUTCHours()}`]: 1, [`minute.${at.getUTCHours()}.${at.getUTCMinutes()}`]: 1 },
      },
      { upsert: true },
    );
  }

  #pick(): number {
    this.#nextTopic = (this.#nextTopic + 1) % this.#topics.length;
    return this.#nextTopic;
  }

  /** Keeps `window` writes in flight: the next starts when all subscribers have received an earlier one. */
  saturate(writes: number, window: number): Promise<Answer> {
    return this.#measured(
      () =>
        new Promise((resolve, reject) => {
          let started = 0;
          let complete = 0;
          let inOrder = Promise.resolve(); // writes to the same document are sequential
          const begin = () => {
            if (started === writes) return;
            started += 1;
            if (this.#topics.length > 1) this.#write(this.#pick()).catch(reject);
            else inOrder = inOrder.then(() => this.#write(0)).catch(reject);
          };
          this.#onComplete = () => {
            complete += 1;
            if (complete === writes) resolve();
            else begin();
          };
          for (let i = 0; i < window; i += 1) begin();
        }),
    );
  }

  /** Writes at a fixed pace, whatever the server does. */
  async pace(writes: number, everyMs: number): Promise<Answer> {
    const latencies: number[] = [];
    const answer = await this.#measured(async () => {
      this.#latencies = latencies;
      let complete = 0;
      const all = new Promise<void>((resolve) => {
        this.#onComplete = () => {
          complete += 1;
          if (complete === writes) resolve();
        };
      });
      const begin = performance.now();
      for (let i = 0; i < writes; i += 1) {
        const wait = begin + i * everyMs - performance.now();
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
        await this.#write(this.#pick());
      }
      await all;
      this.#latencies = null;
    });
    return { ...answer, latencies: { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) } };
  }

  async #measured(work: () => Promise<void>): Promise<Answer> {
    const before = this.#delivered;
    const begin = performance.now();
    await work();
    const seconds = (performance.now() - begin) / 1000;
    this.#onComplete = () => undefined;
    return { delivered: this.#delivered - before, seconds, latencies: null, sample: this.#sample };
  }
}

const COUNT = Buffer.from('"count":');
const ZERO = 48;

/** The last count of a message: all messages of these benchmarks have one point. */
function countIn(buffer: Buffer, start: number, end: number): number {
  const at = buffer.lastIndexOf(COUNT, end - 1);
  if (at < start) throw new Error(`A message without a count: ${buffer.toString('utf8', start, end)}`);
  let count = 0;
  for (let i = at + COUNT.length; ; i += 1) {
    const digit = (buffer[i] as number) - ZERO;
    if (digit < 0 || digit > 9) return count;
    count = count * 10 + digit;
  }
}

let subscribers: Subscribers | null = null;

async function handle(request: Request): Promise<Answer | null> {
  if (request.kind === 'connect') {
    const client = await MongoClient.connect(request.options.mongodbUri, { writeConcern: { w: 'majority' } });
    subscribers = new Subscribers(request.options, client);
    await subscribers.connect();
    return null;
  }
  if (!subscribers) throw new Error('Connect first');
  return request.kind === 'saturate'
    ? subscribers.saturate(request.writes, request.window)
    : subscribers.pace(request.writes, request.everyMs);
}

answerMessages(handle);
