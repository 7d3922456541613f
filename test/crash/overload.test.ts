/**
 * Processes under load. Bounds are generous, because other load on the machine affects both sides. What a process can answer in time
 * depends on its neighbors, so `npm run test:crash` runs this file alone, and a test that meets a burst of theirs runs again.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Product, startProduct } from '../../harness/product.js';
import { type BurstAnswer, type BurstRequest, sendBurst } from '../support/burst.js';
import { useDatabase } from '../support/database.js';

const MINUTE_MS = 60_000;
/** The default of MAX_WAIT_MS. */
const WAIT_MAX_MS = 1000;
/** The kernel resets connections beyond the listening socket's backlog (4,096), before the process knows of them. */
const OPEN_MAX = 3000;
const database = useDatabase();
let product: Product;
let chart: BurstRequest;

beforeAll(async () => {
  product = await startProduct({
    mongodbUri: database.uri,
    database: database.db.databaseName,
    environment: {
      MAX_REQUESTS_PER_MINUTE: '100000000',
      MAX_ADDRESS_COST_PER_MINUTE: '100000000',
      MAX_USER_COST_PER_MINUTE: '100000000',
    },
  });
  const query = `{ hitChart(site: "example.org", page: "/", unit: HOUR
    range: { from: "2026-01-01T00:00:00Z", to: "2026-04-01T00:00:00Z" }) { points { count } } }`;
  chart = {
    path: '/graphql',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await product.token()}` },
    body: JSON.stringify({ query }),
  };
  await product.request('mutation { registerSite(input: { host: "example.org" }) { __typename } }');
}, 2 * MINUTE_MS);
afterAll(() => product?.stop());

const charts = (count: number) =>
  sendBurst(
    product.port,
    Array.from({ length: count }, () => chart),
  );
const isAnswer = ({ status, body }: BurstAnswer) => status === 200 && body.includes('"points":[{');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a process', { timeout: 3 * MINUTE_MS, retry: 2 }, () => {
  it('that was suspended for two seconds answers the 200 waiting callers', async () => {
    await charts(20);
    const answers = charts(200);
    await pause(50); // some are answered, some wait, and some have not been read
    process.kill(product.process.pid, 'SIGSTOP');
    await pause(2000);
    process.kill(product.process.pid, 'SIGCONT');
    expect((await answers).filter((answer) => !isAnswer(answer))).toEqual([]);
  });

  it('answers fifty concurrent callers next to four processes that use all processors', async () => {
    const busy = Array.from({ length: 4 }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
    onTestFinished(() => busy.forEach((one) => void one.kill('SIGKILL')));
    await Promise.all(busy.map((one) => once(one, 'spawn')));
    for (const count of [50, 50, 50]) {
      expect((await charts(count)).filter((answer) => !isAnswer(answer))).toEqual([]);
    }
  });

  it('serves 300 callers that send requests one after the other, and retry when told to', async () => {
    const ask = async (): Promise<void> => {
      const [answer] = await sendBurst(product.port, [chart]);
      if (answer && isAnswer(answer)) return;
      expect(answer?.status).toBe(503);
      await pause(JSON.parse(answer?.body ?? '').errors[0].extensions.retryAfterMs);
      return ask();
    };
    // All of them get through before the test times out. `npm run bench -- overload` measures how fast.
    await Promise.all(
      Array.from({ length: 300 }, async () => {
        for (let request = 0; request < 5; request += 1) await ask();
      }),
    );
  });

  it('accepts new connections while it is busy', async () => {
    const health: BurstRequest = { method: 'GET', path: '/healthz', headers: {}, body: '' };
    const busy = charts(1000);
    const answers = await sendBurst(
      product.port,
      Array.from({ length: 400 }, () => health),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const slowestMs = Math.max(...answers.map(({ afterMs }) => afterMs));
    expect(slowestMs).toBeLessThan(10_000);
    await busy;
  });

  it('answers what it can in time at four times the load, and tells the others when to retry', async () => {
    const SECONDS = 8;
    const TICK_MS = 20;
    const capacity = async () => {
      const begun = performance.now();
      await charts(300);
      return 300 / ((performance.now() - begun) / 1000);
    };
    const perSecond = await capacity();
    const asked: Promise<BurstAnswer[]>[] = [];
    let sent = 0;
    let open = 0;
    const send = async (count: number) => {
      open += count;
      const answers = await charts(count);
      open -= count;
      return answers;
    };
    for (const since = performance.now(); performance.now() - since < SECONDS * 1000; await pause(TICK_MS)) {
      const due = Math.floor(4 * perSecond * ((performance.now() - since) / 1000));
      asked.push(send(Math.min(due - sent, OPEN_MAX - open)));
      sent = due;
    }
    const answers = (await Promise.all(asked)).flat();
    const [good, others] = [answers.filter(isAnswer), answers.filter((answer) => !isAnswer(answer))];
    expect(others.filter(({ status }) => status !== 503)).toEqual([]);
    for (const { body } of others) expect(body).toMatch(/"retryAfterMs":\d+/);
    const inTime = good.filter(({ afterMs }) => afterMs < 3 * WAIT_MAX_MS);
    const least = Math.min(perSecond, await capacity()); // a neighbor may have come to the processors meanwhile
    expect(inTime.length).toBeGreaterThan((least * SECONDS) / 10); // `npm run bench -- overload` measures it
  });
});
