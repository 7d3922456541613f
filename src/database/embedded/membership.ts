/** The user's side of the supervisor: joins the running one, or starts one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { builtProgram } from '../../shared/built-program.js';
import { DatabaseError } from '../connection/database-error.js';
import { receive, type ServerState, send } from './message.js';
import { LOOPBACK, type ServerRecord } from './record.js';
import type { SupervisorOptions } from './supervisor.js';

const JOIN_TIMEOUT_MS = 15_000;
const JOIN_POLL_MS = 20;
const START_AGAIN_MS = 2_000;
const ANSWER_TIMEOUT_MS = 5_000;

/** The server runs as long as any process holds one of these. A process that dies releases its own, however it dies. */
export interface Membership {
  readonly mongodPort: number;
  /** Resolves when the supervisor has exited. It never exits while it has users, unless it was killed. */
  readonly lost: Promise<void>;
  /** Releases the server. Resolves when it has stopped, or immediately when others use it. */
  leave(): Promise<void>;
}

/**
 * Joins the supervisor of the folder, and starts one if there is none.
 * @param makeOptions called at most once, and only to start a supervisor
 * @throws DatabaseError the server cannot be started, or no supervisor answers within 15 s
 */
export async function becomeMember(
  record: ServerRecord,
  makeOptions: () => Promise<SupervisorOptions>,
): Promise<Membership> {
  const joined = await joinSupervisor(record);
  if (joined) return joined;
  const options = await makeOptions();
  const deadline = performance.now() + JOIN_TIMEOUT_MS;
  for (let startedAt = -START_AGAIN_MS; performance.now() < deadline; await delay(JOIN_POLL_MS)) {
    // Started again after a while: one that started while its predecessor was exiting found the port taken and exited.
    if (performance.now() - startedAt > START_AGAIN_MS) {
      startSupervisor(options);
      startedAt = performance.now();
    }
    const membership = await joinSupervisor(record);
    if (membership) return membership;
  }
  throw new DatabaseError(
    `The embedded server of ${options.folder} cannot be reached on port ${record.supervisorPort}. Either it did not start ` +
      `(see supervisor.log in that folder), or another program listens on this port (then remove server.json in that folder)`,
  );
}

/** @returns null when nothing answers @throws DatabaseError the server cannot be started */
async function joinSupervisor({ supervisorPort, secret }: ServerRecord): Promise<Membership | null> {
  const socket = connect(supervisorPort, LOOPBACK);
  const lost = new Promise<void>((resolve) => {
    socket.on('error', () => socket.destroy()).once('close', () => resolve());
  });
  const state = await firstStateThatLasts(socket, lost, secret);
  if (state?.state === 'READY') {
    socket.unref(); // membership must not keep the process alive
    const leave = async () => {
      socket.ref().end();
      await lost;
    };
    return { mongodPort: state.port, lost, leave };
  }
  socket.destroy();
  if (state?.state === 'FAILED') throw new DatabaseError(`The embedded server failed to start: ${state.reason}`);
  return null;
}

/** Waits while the server starts. @returns null when the connection ends, or nothing answers within 5 s */
async function firstStateThatLasts(socket: Socket, lost: Promise<void>, secret: string) {
  return await new Promise<ServerState | null>((resolve) => {
    const impatience = setTimeout(() => resolve(null), ANSWER_TIMEOUT_MS);
    void lost.then(() => resolve(null)).finally(() => clearTimeout(impatience));
    receive<ServerState>(socket, (state) => {
      clearTimeout(impatience); // it is a supervisor: the server may need time to recover its data
      if (state.state !== 'STARTING') resolve(state);
    });
    void once(socket, 'connect').then(
      () => send(socket, { secret }),
      () => resolve(null),
    );
  });
}

/** Detached, so that it does not end with this process: it must stop the server when this process is killed. */
function startSupervisor(options: SupervisorOptions): void {
  const log = openSync(join(options.folder, 'supervisor.log'), 'w', 0o600);
  spawn(process.execPath, [builtProgram('database/embedded/supervisor'), JSON.stringify(options)], {
    cwd: options.folder,
    detached: true,
    stdio: ['ignore', 'ignore', log],
  }).unref();
  closeSync(log);
}
