/**
 * Players who act at random on two servers, each of which dies at a step of the game that is chosen by a seed. Each player follows the own
 * character, and continues at another server with the cursor. Afterwards, with what is left repaired, every item is in one place, everybody
 * is in one room, gold is conserved, and copies are equal to their rooms.
 */
import { type Client, createClient } from 'graphql-ws';
import { type Db, MongoClient } from 'mongodb';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { type Product, settingsOf, startProduct } from '../../harness/product.js';
import { makeRandom, type Random } from '../../harness/random.js';
import { startReplicaSet } from '../../harness/replica-set.js';
import { waitFor } from '../../harness/wait-for.js';
import { characters } from '../../src/models/game/world/character.js';
import { items } from '../../src/models/game/world/item.js';
import { locations } from '../../src/models/game/world/location.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import { expectSettled, letTurnsEnd } from '../game/crash-game.js';
import { World } from '../game/game-support.js';
import { addPerson, beginTestSession } from '../support/people.js';
import { testConfig } from '../support/server.js';
import { findFailpoints } from './failpoints.js';
import { RoomHistory, type ShownHappening, ShownHappenings } from './game-happenings.js';
import { violationsOf } from './invariants.js';
import { answerOrNull } from './scenario.js';
import { letWorkersRun } from './workers.js';

export interface GameRun {
  readonly players: number;
  readonly acts: number;
}

const ROOMS = ['hall', 'kitchen', 'cellar', 'tower'] as const;
const ITEMS = ['lamp', 'ring', 'scroll', 'rope', 'coin', 'cup', 'map', 'flute'] as const;
const GOODS = ['apple', 'knife', 'cloak'] as const;
const BAGS = ['bag', 'box'] as const;
const PASSES_MAX = 12; // of a failpoint, before the server dies
const ACTS_WAITED = 40; // for a server to die at its step, before it is killed at any moment; twice as many the next time
const DOUBLINGS_MAX = 4;
const MANY_ACTS = 10_000; // in which servers die at half of the steps at least
const SETTLED_MS = 60_000;
const RENEWED_MS = 300_000; // access tokens are valid for 15 minutes, and a long run takes longer

/** Those that players do not pass, or hardly ever. */
const RARE =
  /item-|need|location-|start-|folk-|relocat|recorded|taken-away|taken-out|created|muted|leaving|put-down|left-room|left-world|expired|taken-over|move-taken-back|stray-freed|creation-settled|doer-told/;

/** The steps at which servers die. */
const STEPS = findFailpoints()
  .map(({ name }) => name)
  .filter((name) => name.startsWith('game.') && !RARE.test(name));

interface Dying {
  readonly product: Product;
  readonly step: string;
  actsLeft: number;
}

/** Two servers. One that dies is replaced, with another step at which it dies: first those at which none has died yet. */
class DyingServers {
  readonly #running = new Set<Dying>();
  readonly #place: { readonly mongodbUri: string; readonly database: string };
  readonly #random: Random;
  #isStopped = false;
  #next = 0;
  /** By step, how often a server was killed before it came there. */
  readonly #missed = new Map<string, number>();
  /** The steps at which a server has died. */
  readonly died = new Set<string>();
  readonly #starting = new Set<Promise<void>>();

  constructor(place: { readonly mongodbUri: string; readonly database: string }, random: Random) {
    this.#place = place;
    this.#random = random;
  }

  async start(): Promise<void> {
    const left = STEPS.filter((step) => !this.died.has(step));
    const choice = left.length > 0 ? left : STEPS;
    const step = choice[(this.#next + this.#random.seed) % choice.length] ?? ''; // one after the other
    this.#next += 1;
    const pass = left.length > 0 ? 1 : 1 + this.#random.below(PASSES_MAX);
    const environment = { SEXTANT_FAILPOINT: `${step}:${pass}` };
    const product = await startProduct({ ...this.#place, environment }).catch(() => null); // it may die while it starts
    if (this.#isStopped) return void (await product?.kill());
    if (!product) return this.start();
    const missed = this.#missed.get(step) ?? 0;
    const dying = { product, step, actsLeft: ACTS_WAITED * 2 ** Math.min(DOUBLINGS_MAX, missed) };
    this.#running.add(dying);
    void product.process.ended.then(() => {
      this.#running.delete(dying);
      if (this.#isStopped) return;
      if (dying.actsLeft > 0) this.died.add(step);
      else this.#missed.set(step, missed + 1);
      const starting = this.start().finally(() => this.#starting.delete(starting));
      this.#starting.add(starting);
    });
  }

  /** @throws TypeError none runs, as when a connection is refused */
  any(random: Random): Product {
    const running = [...this.#running];
    const dying = running[random.below(running.length)];
    if (!dying) throw new TypeError('No server runs');
    return dying.product;
  }

  /** An act is done. */
  count(): void {
    for (const dying of this.#running) {
      dying.actsLeft -= 1;
      if (dying.actsLeft === 0) void dying.product.kill();
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#running].map(({ product }) => product.kill()));
    await Promise.all(this.#starting);
  }
}

interface Event {
  readonly roomChanged: {
    readonly cursor: string;
    readonly character: { readonly happenings: readonly ShownHappening[] };
  };
}

/** A player: acts, one after the other, and follows the character with a client that reconnects. */
class Player {
  readonly #signIn: () => Promise<string>;
  #signedIn: { readonly token: string; readonly at: number } | null = null;
  readonly #id: string;
  readonly #random: Random;
  readonly #servers: DyingServers;
  readonly #others: readonly string[];
  #calls = 0;
  #cursor: string | null = null;
  #client: Client | null = null;
  #hasLeft = false;
  readonly shown = new ShownHappenings();
  reconnections = 0;

  constructor(
    name: string,
    signIn: () => Promise<string>,
    others: readonly string[],
    servers: DyingServers,
    random: Random,
  ) {
    this.#id = toGlobalId('Character', name);
    this.#signIn = signIn;
    this.#others = others;
    this.#servers = servers;
    this.#random = random;
  }

  async #token(): Promise<string> {
    if (this.#signedIn && performance.now() - this.#signedIn.at < RENEWED_MS) return this.#signedIn.token;
    this.#signedIn = { token: await this.#signIn(), at: performance.now() };
    return this.#signedIn.token;
  }

  async follow(): Promise<void> {
    while (!this.#hasLeft) {
      await this.#connect().catch(() => undefined);
      this.reconnections += 1;
      if (!this.#hasLeft) await new Promise((resolve) => setTimeout(resolve, 50)); // the server is gone
    }
  }

  async #connect(): Promise<void> {
    const { url } = this.#servers.any(this.#random);
    const token = await this.#token();
    this.#client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { authorization: `Bearer ${token}` },
    });
    const query = `subscription ($after: String) { roomChanged(characterId: "${this.#id}", after: $after) { cursor character { happenings { number at kind text who { id } } } } }`;
    this.shown.connect();
    for await (const { data } of this.#client.iterate<Event>({ query, variables: { after: this.#cursor } })) {
      if (!data) return;
      this.#cursor = data.roomChanged.cursor;
      this.shown.add(data.roomChanged.character.happenings);
    }
  }

  async leave(): Promise<void> {
    this.#hasLeft = true;
    await this.#client?.dispose();
  }

  /** Until it is answered: by the character, or by a refusal. */
  async act(): Promise<void> {
    const mutation = this.#choose();
    for (;;) {
      const answer = await this.#send(mutation);
      const code = answer?.errors?.[0]?.extensions?.code;
      if (answer && code === undefined) return;
      if (code !== undefined) expect(['SERVER_BUSY', 'DATABASE_UNAVAILABLE'], JSON.stringify(answer)).toContain(code);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async #send(mutation: string) {
    const token = await this.#token();
    try {
      const product = this.#servers.any(this.#random);
      return await answerOrNull(product.request(`mutation { done: ${mutation} { __typename } }`, {}, token));
    } catch (error) {
      if (error instanceof TypeError) return null;
      throw error;
    }
  }

  #choose(): string {
    const random = this.#random;
    this.#calls += 1;
    const key = `idempotencyKey: "${random.seed}-${this.#calls}"`;
    const one = <T>(list: readonly T[]): T => list[random.below(list.length)] as T;
    const item = (name: string) => toGlobalId('Item', name);
    const thing = item(one([...ITEMS, ...GOODS, ...BAGS]));
    const act = (name: string, rest: string) => `${name}(characterId: "${this.#id}", ${rest}, ${key})`;
    const shopkeeper = toGlobalId('Character', 'bert');
    switch (random.below(12)) {
      case 0:
      case 1:
        return act('sendCommand', `text: "take ${one([...ITEMS, ...BAGS])}"`);
      case 2:
        return act('pickUpItem', `itemId: "${thing}"`);
      case 3:
        return act('dropItem', `itemId: "${thing}"`);
      case 4:
        return act('putItemInto', `itemId: "${thing}", containerId: "${item(one(BAGS))}"`);
      case 5:
        return act('takeItemOut', `itemId: "${thing}"`);
      case 6:
        return act('giveItem', `itemId: "${thing}", toId: "${toGlobalId('Character', one(this.#others))}"`);
      case 7:
        return act('buyItem', `shopkeeperId: "${shopkeeper}", itemId: "${item(one(GOODS))}"`);
      case 8:
        return act('sellItem', `shopkeeperId: "${shopkeeper}", itemId: "${item(one(GOODS))}"`);
      case 9:
        return act(
          'sendCommand',
          `text: "${one(['wear cloak', 'wield knife', 'take off cloak', 'say hello', `tell ${one(this.#others)} hello`, 'look'])}"`,
        );
      default:
        return act('moveCharacter', `direction: "${one(['north', 'south', 'around'])}"`);
    }
  }
}

const HEAVIEST = 45_000; // a warrior carries 80 kg, so that destinations refuse often

async function build(db: Db, random: Random): Promise<World> {
  const world = new World(db);
  const at = (index: number) => ROOMS[(index + ROOMS.length) % ROOMS.length] as string;
  await world.rooms(
    Object.fromEntries(
      ROOMS.map((room, index) => [room, { north: at(index + 1), south: at(index - 1), around: room }]),
    ),
  );
  await world.folk('Bert', 'hall', 100);
  for (const [index, name] of ITEMS.entries()) await world.item(name, at(index), { weight: random.below(HEAVIEST) });
  for (const name of BAGS) await world.item(name, 'hall', { kind: 'CONTAINER' });
  for (const name of GOODS) await world.item(name, 'Bert', { price: 7, ...fieldsOf(name) });
  return world;
}

const fieldsOf = (name: string) =>
  name === 'cloak'
    ? { kind: 'ARMOR' as const, slots: ['BODY' as const] }
    : name === 'knife'
      ? { kind: 'WEAPON' as const, slots: ['RIGHT_HAND' as const] }
      : {};

/** @param seed repeats everything except the processes' timing */
export async function playWithKills(seed: number, { players: count, acts }: GameRun): Promise<void> {
  const random = makeRandom(seed);
  const set = await startReplicaSet();
  const client = await MongoClient.connect(set.uri, { writeConcern: { w: 'majority' }, ignoreUndefined: true });
  const db = client.db('played');
  const history = new RoomHistory(db);
  const servers = new DyingServers({ mongodbUri: set.uri, database: db.databaseName }, random);
  try {
    await Promise.all([servers.start(), servers.start()]);
    const world = await build(db, random);
    history.follow();
    const names = Array.from({ length: count }, (_, at) => `player ${at}`);
    const { TOKEN_SECRET } = settingsOf({ mongodbUri: null, database: db.databaseName });
    const config = testConfig({ TOKEN_SECRET: TOKEN_SECRET ?? '' });
    const players: Player[] = [];
    for (const name of names) {
      const user = await addPerson(db, name, ['MEMBER']);
      await world.character(name.replace('p', 'P'), 'WARRIOR', user._id);
      const signIn = async () => (await beginTestSession(db, config, user)).token;
      players.push(new Player(name, signIn, [...names, 'bert'], servers, makeRandom(random.below(2 ** 31))));
    }
    const followed = players.map((player) => player.follow());
    let left = acts;
    await Promise.all(
      players.map(async (player) => {
        // Rare steps may not be passed in so few acts: then on, until a server has died at one.
        for (; left > 0 || (servers.died.size === 0 && left > -5 * acts); ) {
          left -= 1;
          await player.act();
          servers.count();
        }
      }),
    );
    await letWorkersRun(db);
    await expectShown(db, players, names, history);
    await Promise.all(players.map((player) => player.leave()));
    await servers.stop();
    await Promise.all(followed);
    await letTurnsEnd(db);
    await letWorkersRun(db);
    await expectSettled(db);
    expect(await violationsOf(db)).toEqual([]);
    expect(await items(db).countDocuments()).toBe(ITEMS.length + BAGS.length + GOODS.length);
    expect((await characters(db).distinct('_id')).length).toBe(count + 1);
    await expectEqualCopies(db);
    const never = STEPS.filter((step) => !servers.died.has(step));
    process.stderr.write(
      `game kills: ${acts} acts, died at ${[...servers.died].toSorted().join(', ')}; not at ${never.join(', ')}\n`,
    );
    expect(servers.died.size).toBeGreaterThanOrEqual(acts >= MANY_ACTS ? STEPS.length / 2 : 1);
  } finally {
    await servers.stop();
    await history.stop();
    await client.close();
    await set.stop();
  }
}

/** Each client has shown all that its character has seen and heard, each happening once. */
async function expectShown(
  db: Db,
  players: readonly Player[],
  names: readonly string[],
  history: RoomHistory,
): Promise<void> {
  for (const [at, { shown, reconnections }] of players.entries()) {
    const name = names[at] ?? '';
    await waitFor(`the screen of ${name} after ${reconnections} connections`, SETTLED_MS, async () => {
      const heard = (await characters(db).findOne({ _id: name }))?.happenings.at(-1)?.number;
      return shown.last === heard ? true : null;
    });
  }
  await history.stop();
  for (const [at, { shown }] of players.entries()) {
    const missing = shown.gaps().filter((gap) => !history.explains(gap, names[at] ?? ''));
    expect([...shown.faults, ...missing.map((gap) => JSON.stringify(gap))], names[at]).toEqual([]);
  }
}

/** Not only those that are marked: all copies. */
async function expectEqualCopies(db: Db): Promise<void> {
  for (const { _id, version, players } of await locations(db).find({}).toArray()) {
    const copies = await characters(db).find({ 'location._id': _id }).toArray();
    expect(copies.map((copy) => copy._id).toSorted()).toEqual(players.map(({ id }) => id).toSorted());
    for (const { location } of copies) expect(location.version).toBe(version);
  }
}
