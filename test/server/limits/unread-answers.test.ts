/** HTTP responses that their clients do not read. */
import { connect, type Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';

const BOUND_BYTES = 10_000_000;
const CONNECTIONS = 5;
const IN_A_ROW = 6;
/** 3 MB. */
const CHART = `{ hitChart(site: "example.org", page: "/", unit: MINUTE,
  range: { from: "2026-01-01T00:00:00Z", to: "2026-02-04T00:00:00Z" }) { points { at count } } }`;

const server = useServer(useDatabase(), { MAX_UNSENT_BYTES: `${BOUND_BYTES}` });

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`^sextant_${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

const unread: Socket[] = [];

/** A client that pipelines requests and reads nothing. */
function askAndLeaveUnread(): void {
  const socket = connect({ port: server.port, host: '127.0.0.1' }).pause();
  unread.push(socket.on('error', () => undefined));
  const body = JSON.stringify({ query: CHART });
  const head = [
    'POST /graphql HTTP/1.1',
    'host: x',
    'content-type: application/json',
    `authorization: Bearer ${server.token}`,
    `content-length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`.repeat(IN_A_ROW));
}

it('unread responses are bounded per account, and reading clients get theirs completely', async () => {
  for (let count = 0; count < CONNECTIONS; count += 1) askAndLeaveUnread();
  const worst = { bytes: 0 };
  await vi.waitFor(
    async () => {
      worst.bytes = Math.max(worst.bytes, await metric('unsent_bytes'));
      expect(await metric('unsent_ended_total')).toBeGreaterThan(1);
    },
    { timeout: 60_000, interval: 20 },
  );
  expect(worst.bytes).toBeLessThanOrEqual(BOUND_BYTES / 2);
  const { data } = await server.request<{ hitChart: { points: unknown[] } }>(CHART);
  expect(data?.hitChart.points).toHaveLength(34 * 1440);
  while (unread.length > 0) unread.pop()?.destroy();
  await vi.waitFor(async () => expect(await metric('unsent_bytes')).toBe(0), { timeout: 60_000, interval: 100 });
});
