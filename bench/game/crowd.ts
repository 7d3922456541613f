/**
 * Players in one room, each with an account and a socket, in the process that measures. What happens in a room has the same order for all
 * of them, and each numbers it from where it has begun: so the number of the last happening of a message tells which acts have arrived.
 */
import type { Socket } from 'node:net';
import { subscribe } from '../../harness/subscriber-socket.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import type { Contestant } from '../support/contestants.js';

/** A real client's operation: the dashboard's screen. The happenings are the last field, where they are found without parsing. */
const SCREEN = `subscription RoomChanged($characterId: ID!) { roomChanged(characterId: $characterId) { cursor reset character {
  id name class role
  intrinsics { strength dexterity intelligence charisma }
  health mana gold weight weightMax mutedUntil
  location {
    id name description
    exits { direction aliases description needs }
    players { id name class role isOnline }
    items { ...GameItem }
  }
  inventory { ...GameItem }
  happenings { text number at kind who { id name } }
} } }
fragment GameItem on Item {
  id name label description kind bonus quantity weight price isFixed slots slot insideId
}`;
const CONNECT_AT_ONCE = 20;
const STUCK_MS = 120_000;
const NUMBER = Buffer.from('"number":');
const HAPPENINGS = Buffer.from('"happenings":');
const DIGITS_MAX = 16;

export interface Player {
  readonly character: string;
  /** An access token. Null: without an account. */
  readonly token: string | null;
}

export interface SeenHappening {
  readonly number: number;
  readonly text: string;
  readonly kind: string;
  readonly who: { readonly name: string };
}

interface Message {
  readonly payload: {
    readonly data: { readonly roomChanged: { readonly character: { readonly happenings: readonly SeenHappening[] } } };
  };
}

/** What arrived since the last `begin`. */
export interface Arrived {
  /** When the last player had each happening, in the order of the room. */
  readonly lastAt: readonly number[];
  readonly messages: number;
  readonly bytes: number;
  /** Happenings that a player did not get, because more than are kept happened between two messages. */
  readonly lost: number;
}

export class Crowd {
  readonly #sockets: Socket[] = [];
  /** The number of the last happening that each player had when the measurement began, and that it has now. */
  readonly #from: number[] = [];
  readonly #last: number[] = [];
  /** By the order in the room, since the measurement began: how many players have it, and when the last one got it. */
  #counts: number[] = [];
  #lastAt: number[] = [];
  #messages = 0;
  #bytes = 0;
  #lost = 0;
  #isEnding = false;
  readonly #onSeen: (place: number, happening: SeenHappening) => void;
  #onProgress: () => void = () => undefined;

  /** @param onSeen told what the first player sees, with its place in the order of the room since `begin` */
  constructor(onSeen: (place: number, happening: SeenHappening) => void = () => undefined) {
    this.#onSeen = onSeen;
  }

  /** Resolves when every player has their screen. */
  async connect({ port }: Contestant, players: readonly Player[]): Promise<void> {
    for (let first = 0; first < players.length; first += CONNECT_AT_ONCE)
      await Promise.all(
        players.slice(first, first + CONNECT_AT_ONCE).map((player, at) => this.#open(port, player, first + at)),
      );
    await this.#until(() => this.#last.filter((last) => last !== undefined).length === players.length);
  }

  async #open(port: number, { character, token }: Player, index: number): Promise<void> {
    const socket = await subscribe({
      port,
      init: token === null ? {} : { authorization: `Bearer ${token}` },
      subscription: {
        query: SCREEN,
        operationName: 'RoomChanged',
        variables: { characterId: toGlobalId('Character', character) },
      },
      onNext: (buffer, start, end) => this.#receive(index, buffer, start, end),
      onEnd: (reason) => {
        if (!this.#isEnding) throw new Error(reason); // otherwise the benchmark would wait for a player who is gone
      },
    });
    this.#sockets.push(socket);
  }

  #receive(index: number, buffer: Buffer, start: number, end: number): void {
    const now = performance.now();
    this.#messages += 1;
    this.#bytes += end - start;
    const last = numberAt(buffer, buffer.lastIndexOf(NUMBER, end), start);
    const before = this.#last[index];
    this.#last[index] = last;
    if (before !== undefined && last > before) {
      const oldest = numberAt(buffer, buffer.indexOf(NUMBER, buffer.lastIndexOf(HAPPENINGS, end)), start);
      this.#lost += Math.max(0, oldest - before - 1);
      const from = this.#from[index] ?? 0;
      for (let at = before - from; at < last - from; at += 1) {
        this.#counts[at] = (this.#counts[at] ?? 0) + 1;
        this.#lastAt[at] = now;
      }
      if (index === 0) this.#tell(buffer.toString('utf8', start, end), before);
    }
    this.#onProgress();
  }

  #tell(message: string, before: number): void {
    const { payload } = JSON.parse(message) as Message;
    for (const happening of payload.data.roomChanged.character.happenings)
      if (happening.number > before) this.#onSeen(happening.number - 1 - (this.#from[0] ?? 0), happening);
  }

  /** All that has happened so far has arrived: begins to count. */
  begin(): void {
    for (const [index, last] of this.#last.entries()) this.#from[index] = last;
    this.#counts = [];
    this.#lastAt = [];
    this.#messages = 0;
    this.#bytes = 0;
    this.#lost = 0;
  }

  /** @param count how many acts have been done since `begin` @returns when all players have all of them */
  async whole(count: number): Promise<void> {
    await this.#until(() => this.#counts.length >= count && this.#counts[count - 1] === this.#sockets.length);
  }

  get arrived(): Arrived {
    return { lastAt: this.#lastAt, messages: this.#messages, bytes: this.#bytes, lost: this.#lost };
  }

  #until(isReached: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`Not all players have everything after ${STUCK_MS} ms`));
      const timer = setTimeout(late, STUCK_MS);
      this.#onProgress = () => {
        if (!isReached()) return;
        clearTimeout(timer);
        this.#onProgress = () => undefined;
        resolve();
      };
      this.#onProgress();
    });
  }

  end(): void {
    this.#isEnding = true;
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** @param at of its name @param start of the message: before it there is none */
function numberAt(buffer: Buffer, at: number, start: number): number {
  if (at < start) return 0;
  const from = at + NUMBER.length;
  return Number.parseInt(buffer.toString('latin1', from, from + DIGITS_MAX), 10);
}
