/** HTTP responses that their clients do not read. */
import { connect, type Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { backgroundWork } from '../../../src/models/system/work/background-work.js';
import { pathOfExport } from '../../../src/models/system/work/data-export.js';
import { addParts, PART_BYTES } from '../../../src/models/system/work/work-file.js';
import { startWork } from '../../../src/models/system/work/work-start.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';

const BOUND_BYTES = 10_000_000;
const CONNECTIONS = 5;
const IN_A_ROW = 6;
/** 3 MB. */
const CHART = `{ hitChart(site: "example.org", page: "/", unit: MINUTE,
  range: { from: "2026-01-01T00:00:00Z", to: "2026-02-04T00:00:00Z" }) { points { at count } } }`;

/** More than the operating system buffers for a connection. */
const PARTS = 24;
const DOWNLOADS = 12;

const database = useDatabase();
const server = useServer(database, { MAX_UNSENT_BYTES: `${BOUND_BYTES}` });

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`^sextant_${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

const unread: Socket[] = [];

/** A client that pipelines requests and reads nothing. */
function askAndLeaveUnread(): void {
  const body = JSON.stringify({ query: CHART });
  const head = [
    'POST /graphql HTTP/1.1',
    'host: x',
    'content-type: application/json',
    `authorization: Bearer ${server.token}`,
    `content-length: ${body.length}`,
  ];
  sendAndLeaveUnread(`${head.join('\r\n')}\r\n\r\n${body}`.repeat(IN_A_ROW));
}

function sendAndLeaveUnread(request: string): void {
  const socket = connect({ port: server.port, host: '127.0.0.1' }).pause();
  unread.push(socket.on('error', () => undefined));
  socket.write(request);
}

async function expectBound(): Promise<void> {
  const worst = { bytes: 0 };
  const before = await metric('unsent_ended_total');
  await vi.waitFor(
    async () => {
      worst.bytes = Math.max(worst.bytes, await metric('unsent_bytes'));
      expect(await metric('unsent_ended_total')).toBeGreaterThan(before + 1);
    },
    { timeout: 60_000, interval: 20 },
  );
  expect(worst.bytes).toBeLessThanOrEqual(BOUND_BYTES / 2);
}

async function expectRelease(): Promise<void> {
  while (unread.length > 0) unread.pop()?.destroy();
  await vi.waitFor(async () => expect(await metric('unsent_bytes')).toBe(0), { timeout: 60_000, interval: 100 });
}

it('unread responses are bounded per account, and reading clients get theirs completely', async () => {
  for (let count = 0; count < CONNECTIONS; count += 1) askAndLeaveUnread();
  await expectBound();
  const { data } = await server.request<{ hitChart: { points: unknown[] } }>(CHART);
  expect(data?.hitChart.points).toHaveLength(34 * 1440);
  await expectRelease();
});

/** The path of an export's file, which is sent part by part. */
async function storeExport(): Promise<string> {
  const { db } = database;
  const kind = { name: 'an export', type: 'DataExport' };
  const file = { name: 'a.jsonl', bytes: PARTS * PART_BYTES };
  const work = await startWork(db, { id: 'e', kind, owner: null, input: {}, file, downloadKey: 'key' }, new Date());
  for (let number = 0; number < PARTS; number += 1)
    await addParts(db, 'e', number, [Buffer.alloc(PART_BYTES, number)], new Date());
  const ended = { state: 'FINISHED', finished_at: new Date() } as const;
  await backgroundWork(db).updateOne({ _id: 'e' }, { $set: ended, $unset: { open: 1 } });
  return pathOfExport({ ...work, ...ended }, new Date()) ?? '';
}

it('downloads that their clients leave unread are bounded, too, and reading clients get the whole file', async () => {
  const path = await storeExport();
  for (let count = 0; count < DOWNLOADS; count += 1) sendAndLeaveUnread(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  await expectBound();
  const bytes = Buffer.from(await (await fetch(server.url + path)).arrayBuffer());
  expect(bytes.length).toBe(PARTS * PART_BYTES);
  expect(bytes.at(-1)).toBe(PARTS - 1);
  await expectRelease();
});
