/** Answers the driver's handshake like a MongoDB of another version. */
import { onTestFinished } from 'vitest';
import { startWireServer } from './wire-server.js';

/** Starts it for one test. @param wire the newest wire version that it speaks @returns its address */
export async function startOldServer(version: string, wire: number): Promise<string> {
  const { host, close } = await startWireServer(async (command) =>
    'buildInfo' in command
      ? { ok: 1, version }
      : {
          ok: 1,
          isWritablePrimary: true,
          setName: 'rs0',
          hosts: [host],
          me: host,
          minWireVersion: 0,
          maxWireVersion: wire,
        },
  );
  onTestFinished(close);
  return `mongodb://${host}/?replicaSet=rs0`;
}
