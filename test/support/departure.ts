/** Clients that disconnect while the server identifies them. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { vi } from 'vitest';
import { Identities } from '../../src/server/identity/identities.js';

/** Sends the request on `times` connections, and closes them before the viewer is identified. Resolves when the server has handled them. */
export async function leaveWhileIdentified(port: number, request: string, times = 1): Promise<void> {
  let goOn: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const find = Identities.prototype.find;
  const finds = vi.spyOn(Identities.prototype, 'find').mockImplementation(async function (this: Identities, ...args) {
    await left;
    return find.apply(this, args);
  });
  try {
    const sockets = Array.from({ length: times }, () => connect(port, '127.0.0.1'));
    for (const socket of sockets) socket.write(request);
    await vi.waitFor(() => {
      if (finds.mock.calls.length < times) throw new Error('Not all requests have arrived');
    });
    for (const socket of sockets) socket.resetAndDestroy();
    await Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')));
    await fetch(`http://127.0.0.1:${port}/healthz`); // by now, the server has noticed the disconnects
    goOn();
    await Promise.all(finds.mock.results.map(({ value }) => value));
    await new Promise((resolve) => setImmediate(resolve)); // for the code after the lookup
  } finally {
    finds.mockRestore();
  }
}
