/** Many concurrent requests, each on its own connection, by a client that uses next to no CPU time. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface BurstRequest {
  /** Default: POST. */
  readonly method?: 'GET';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface BurstAnswer {
  readonly status: number;
  readonly body: string;
  /** From the sending of all requests to the end of this response. */
  readonly afterMs: number;
}

/** @returns the responses, in order of arrival */
export async function sendBurst(port: number, requests: readonly BurstRequest[]): Promise<BurstAnswer[]> {
  const sockets = await Promise.all(requests.map(() => open(port)));
  const answers: BurstAnswer[] = [];
  const sentMs = performance.now();
  await Promise.all(
    sockets.map(async (socket, index) => {
      const { method = 'POST', path, headers, body } = requests[index] as BurstRequest;
      const lines = Object.entries({
        host: 'x',
        connection: 'close',
        ...headers,
        'content-length': Buffer.byteLength(body),
      });
      socket.write(`${method} ${path} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n${body}`);
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      await once(socket, 'close');
      const [head = '', answer = ''] = text.split('\r\n\r\n');
      answers.push({ status: Number(head.slice(9, 12)), body: answer, afterMs: performance.now() - sentMs });
    }),
  );
  return answers;
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket;
}

/** How often each response arrived, by `<status> <body>`. */
export function countAnswers(answers: readonly BurstAnswer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers)
    counts[`${status} ${body.trim()}`] = (counts[`${status} ${body.trim()}`] ?? 0) + 1;
  return counts;
}
