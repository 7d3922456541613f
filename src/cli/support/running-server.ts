/** The server that runs at the configured address, if any. */
import { get, type IncomingMessage } from 'node:http';
import type { Config } from '../../config/config.js';
import { IDENTITY_FORM } from '../../database/index.js';

export interface FoundServer {
  readonly url: string;
  /** Identity of its database. */
  readonly identity: string;
}

/** Nothing may listen there at all: then this is all that a command loses. */
const CONNECT_MS = 200;
/** The listener may be busy, or another program that may send anything. */
const ANSWER_MS = 1000;
const ANSWER_BYTES_MAX = 1000;

/** Null when there is none, when it does not answer, or when its release does not report its database. */
export async function findServer({ HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>): Promise<FoundServer | null> {
  if (PORT === 0) return null; // a free port: there is no telling which
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
        timer = setTimeout(giveUp, ANSWER_MS); // for the whole response: an endless one is given up as well
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
    if (text.length > ANSWER_BYTES_MAX) throw new Error('The answer is too long'); // leaving the loop ends the response
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
