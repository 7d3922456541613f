/** Players who act at a steady rate, each with one act at a time, as clients of a server. */
import { setTimeout as pause } from 'node:timers/promises';
import { toGlobalId } from '../../src/shared/global-id.js';
import type { Contestant } from '../support/contestants.js';
import type { Player, SeenHappening } from './crowd.js';

type Kind = 'SAID' | 'TOOK' | 'PUT';

/** Each player does this again and again, with a lamp of its own. */
const ACTS: readonly Kind[] = ['SAID', 'TOOK', 'SAID', 'PUT'];

export interface ActingPlayer extends Player {
  readonly name: string;
  readonly item: string;
}

interface SentAct {
  readonly kind: Kind;
  readonly words: string;
  readonly at: number;
}

interface Answer {
  readonly data?: { readonly outcome?: { readonly __typename: string } };
  readonly errors?: readonly { readonly extensions?: { readonly retryAfterMs?: number } }[];
}

const speaking = `mutation ($characterId: ID!, $text: String!) {
  outcome: speak(characterId: $characterId, text: $text) { __typename }
}`;
const handling = (field: 'pickUpItem' | 'dropItem') => `mutation ($characterId: ID!, $itemId: ID!) {
  outcome: ${field}(characterId: $characterId, itemId: $itemId) { __typename }
}`;
const taking = handling('pickUpItem');
const dropping = handling('dropItem');

export class ActingCrowd {
  readonly #url: string;
  readonly #players: readonly ActingPlayer[];
  readonly #turns: number[];
  /** What each player has done and the first one has not seen yet, by the player's name. */
  readonly #sent = new Map<string, SentAct[]>();
  readonly #busy: Promise<void>[];
  /** When the acts were sent, by their place in the order of the room, and how long the server took to answer. */
  #sentAt: number[] = [];
  #answered: number[] = [];
  #refused = 0;

  constructor({ port }: Contestant, players: readonly ActingPlayer[]) {
    this.#url = `http://127.0.0.1:${port}/graphql`;
    this.#players = players;
    this.#turns = players.map((_, index) => -(index % ACTS.length)); // they speak before, so that not all do the same at a time
    this.#busy = players.map(() => Promise.resolve());
  }

  /** @param count of acts, evenly over all players @param everyMs between two acts of one player */
  async act(count: number, everyMs: number): Promise<void> {
    const begun = performance.now();
    for (let at = 0; at < count; at += 1) {
      const due = begun + (at * everyMs) / this.#players.length;
      await pause(Math.max(0, due - performance.now()));
      const index = at % this.#players.length;
      const next = async () => this.#next(index);
      this.#busy[index] = (this.#busy[index] ?? Promise.resolve()).then(next);
    }
    await Promise.all(this.#busy);
  }

  async #next(index: number): Promise<void> {
    const player = this.#players[index] as ActingPlayer;
    const turn = this.#turns[index] ?? 0;
    this.#turns[index] = turn + 1;
    const kind = turn < 0 ? 'SAID' : (ACTS[turn % ACTS.length] as Kind);
    const words = `I have done this ${turn} times`;
    const sent = { kind, words, at: performance.now() };
    this.#sent.set(player.name, [...(this.#sent.get(player.name) ?? []), sent]);
    await this.#send(player, kind, words);
    this.#answered.push(performance.now() - sent.at);
  }

  async #send({ token, character, item }: ActingPlayer, kind: Kind, text: string): Promise<void> {
    const query = kind === 'SAID' ? speaking : kind === 'TOOK' ? taking : dropping;
    const characterId = toGlobalId('Character', character);
    const itemId = toGlobalId('Item', item);
    const variables = kind === 'SAID' ? { characterId, text } : { characterId, itemId };
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables }),
    };
    for (;;) {
      const answer = (await (await fetch(this.#url, request)).json()) as Answer;
      if (answer.data?.outcome?.__typename === 'Character') return;
      const [{ extensions = {} } = {}] = answer.errors ?? [];
      if (extensions.retryAfterMs === undefined) throw new Error(JSON.stringify(answer));
      this.#refused += 1;
      await pause(extensions.retryAfterMs);
    }
  }

  /** The first player sees something. @param place in the order of the room */
  readonly seen = (place: number, { kind, text, who }: SeenHappening): void => {
    const sent = this.#sent.get(who.name) ?? [];
    // What the first player has lost is skipped.
    for (let act = sent.shift(); act; act = sent.shift())
      if (act.kind === kind && (kind !== 'SAID' || text.endsWith(act.words))) {
        this.#sentAt[place] = act.at;
        return;
      }
  };

  begin(): void {
    this.#sentAt = [];
    this.#answered = [];
    this.#refused = 0;
  }

  /** When each act was sent, in the order of the room. Empty where the first player has lost it. */
  get sentAt(): readonly number[] {
    return this.#sentAt;
  }

  /** How often the server was busy, so that an act was sent again. */
  get refused(): number {
    return this.#refused;
  }

  /** Milliseconds until the server answered, of each act. */
  get answered(): readonly number[] {
    return this.#answered;
  }
}
