/**
 * A process that owns the embedded server of one data folder. It starts mongod, restarts it when it dies, and stops it after its
 * last user. A user is a process that holds a connection to the supervisor. The kernel closes it however the process ends, even by
 * kill -9, so the count of users is always right, whatever happens to process ids.
 *
 * The supervisor outlives the process that started it, because that may be killed. It ignores termination signals: stopping the
 * application stops the users, and the server must outlast them to accept their last writes.
 */
import { EventEmitter, once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Greeting, receive, type ServerState, send } from './message.js';
import { type Mongod, type MongodOptions, MongodStartError, startMongod } from './mongod.js';
import { endOrphan } from './orphan.js';
import { findFreePort, LOOPBACK, readOrCreateRecord, replaceRecord } from './record.js';

const FIRST_USER_TIMEOUT_MS = 15_000;
const FOLDER_TIMEOUT_MS = 15_000; // how long another mongod may hold the data folder before that is an error
const RETRY_MS = 250;
const RESTART_DELAY_MAX_MS = 5_000;

export type SupervisorOptions = Pick<MongodOptions, 'binary' | 'folder' | 'parameters'>;

async function supervise(options: SupervisorOptions): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  const record = await readOrCreateRecord(options.folder);
  const users = new Users(record.secret);
  if (!(await users.listen(record.supervisorPort))) return; // another supervisor was faster: users join that one
  await users.present(FIRST_USER_TIMEOUT_MS);
  for (let starts = 0; users.count > 0; starts += 1) {
    try {
      const server = await startServer(options);
      users.tell({ state: 'READY', port: server.port });
      starts = 0;
      await Promise.race([server.exited, users.absent()]);
      users.tell({ state: 'STARTING' });
      if (users.count === 0) await server.stop();
      users.dismiss();
    } catch (error) {
      // A server that has never run is not retried: the users wait for an answer. One that has run is restarted while it has users.
      if (!users.haveBeenServed) {
        users.tell({ state: 'FAILED', reason: (error as Error).message });
        return await users.absent();
      }
      await delay(Math.min(RETRY_MS * 2 ** starts, RESTART_DELAY_MAX_MS));
    }
  }
}

/** Starts mongod on the recorded port, or on another if that is taken; stops an orphan that holds the data. */
async function startServer(options: SupervisorOptions): Promise<Mongod & { port: number }> {
  for (const deadline = performance.now() + FOLDER_TIMEOUT_MS; ; ) {
    const record = await readOrCreateRecord(options.folder);
    const port = record.mongodPort;
    try {
      return { ...(await startMongod({ ...options, port })), port };
    } catch (error) {
      const reason = error instanceof MongodStartError ? error.reason : 'OTHER';
      if (reason === 'OTHER' || performance.now() > deadline) throw error;
      if (await endOrphan(options.folder)) continue;
      if (reason === 'PORT_IN_USE')
        await replaceRecord(options.folder, { ...record, mongodPort: await findFreePort() });
      else await delay(RETRY_MS);
    }
  }
}

/** The processes that need the server. Emits `some` when one joins, and `none` when the last has left. */
class Users extends EventEmitter {
  readonly #present = new Set<Socket>();
  /** Users that have left and wait until the server has stopped. */
  readonly #leaving = new Set<Socket>();
  readonly #server = createServer({ allowHalfOpen: true }, (socket) => this.#welcome(socket));
  #state: ServerState = { state: 'STARTING' };
  readonly #secret: string;
  haveBeenServed = false;

  constructor(secret: string) {
    super();
    this.#secret = secret;
  }

  get count(): number {
    return this.#present.size;
  }

  /** @returns false when another process listens there */
  async listen(port: number): Promise<boolean> {
    try {
      this.#server.listen(port, LOOPBACK);
      await once(this.#server, 'listening');
      return true;
    } catch {
      return false;
    }
  }

  tell(state: ServerState): void {
    this.#state = state;
    if (state.state === 'READY') this.haveBeenServed = true;
    for (const user of this.#present) send(user, state);
  }

  /** Resolves when there is a user, or after the timeout. */
  async present(timeoutMs: number): Promise<void> {
    if (this.count === 0) await Promise.race([once(this, 'some'), delay(timeoutMs, undefined, { ref: false })]);
  }

  /** Resolves when there is none. */
  async absent(): Promise<void> {
    if (this.count > 0) await once(this, 'none');
  }

  dismiss(): void {
    for (const user of this.#leaving) user.end();
    this.#leaving.clear();
  }

  #welcome(socket: Socket): void {
    socket
      .on('error', () => socket.destroy())
      .once('end', () => this.#release(socket))
      .once('close', () => this.#release(socket));
    receive<Greeting>(socket, ({ secret }) => {
      if (secret !== this.#secret) {
        socket.destroy();
        return;
      }
      this.#present.add(socket);
      send(socket, this.#state);
      this.emit('some');
    });
  }

  #release(socket: Socket): void {
    if (!this.#present.delete(socket)) return;
    if (this.count > 0) {
      socket.end();
    } else {
      this.#leaving.add(socket);
      this.emit('none');
    }
  }
}

await supervise(JSON.parse(process.argv[2] ?? '{}'));
process.exit();
