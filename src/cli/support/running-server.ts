/** The server that runs at the configured address, if any. */
import { get, type IncomingMessage } from 'node:http';
import type { Config } from '../../config/config.js';
import { IDENTITY_FORM } from '../../database/index.js';

export interface FoundServer {
  readonly url: string;
  /** Identity of its database. */
  readonly identity: string;
}

/** If nothing listens there, a command loses no more time than this. */
const CONNECT_MS = 200;
/** Bounds of the response: the listener may be busy, or be another program that sends anything. */
const ANSWER_MS = 1000;
const ANSWER_BYTES_MAX = 1000;

/** Null when there is none, when it does not respond, or when its release does not report its database. */
export async function findServer({ HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>): Promise<FoundServer | null> {
  if (PORT === 0) return null; // the server picked a free port, which is unknown here
  const url = `http://${reachable(HOST)}:${PORT}`;
  const health = await ask(`${url}/healthz`).catch(() => null);
  const { database: identity } = readObject(health);
  return typeof identity === 'string' && IDENTITY_FORM.test(identity) ? { url, identity } : null;
}

/** A server that listens on every address is asked on the loopback address. */
function reachable(host: string): string {
  const own = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return own.includes(':') ? `[${own}]` : own;
}

/** @throws Error the request times out */
function ask(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false }, (response) => readShort(response).then(resolve, reject));
    const giveUp = () => void request.destroy(new Error('The request timed out'));
    let timer = setTimeout(giveUp, CONNECT_MS);
    request.once('socket', (socket) =>
      socket.once('connect', () => {
        clearTimeout(timer);
        timer = setTimeout(giveUp, ANSWER_MS); // for the whole response, so that an endless one is aborted
      }),
    );
    request.once('error', reject).once('close', () => clearTimeout(timer));
  });
}

/** @throws Error the response is longer than any of Sextant's */
async function readShort(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    if (text.length > ANSWER_BYTES_MAX) throw new Error('The response is too long'); // leaving the loop ends the response
  }
  return text;
}

function readObject(text: string | null): Record<string, unknown> {
  try {
    return Object(JSON.parse(text ?? '{}'));
  } catch {
    return {};
  }
}
