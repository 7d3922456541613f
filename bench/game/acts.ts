/** Acts of characters: the functions of the model against the same commands, sent with the raw driver, in this process. */
import { BSON, type Db } from 'mongodb';
import { buildIndexes } from '../../src/database/index.js';
import { dropItem, pickUpItem } from '../../src/models/game/acts/handling.js';
import { moveCharacter } from '../../src/models/game/acts/movement.js';
import { putItemInto, takeItemOut } from '../../src/models/game/acts/packing.js';
import { buyItem, sellItem } from '../../src/models/game/acts/trade.js';
import { characters, findCharacterOf } from '../../src/models/game/world/character.js';
import type { Benchmark, Findings, Surroundings, Verdict } from '../support/benchmark.js';
import { Contest, inOwnDatabase, measureCallers } from '../support/contest.js';
import { countCommands } from '../support/counted-commands.js';
import { format, roundsOf } from '../support/report.js';
import { asker, requireDone } from './asking.js';
import { type Corner, storeCorners } from './corners.js';
import { ownerOf } from './many-rooms.js';
import { rawDrop, rawMove, rawPutInto, rawTake, rawTrade } from './raw-acts.js';

const CALLERS = [1, 64] as const;
const MS = 1200;
const SCREENS_MS = 1500;
const GOAL = 0.5;
const SCREEN_GOAL = 1.3;
const ways = ['product', 'raw driver'] as const;
type Way = (typeof ways)[number];
type Work = (corner: Corner) => Promise<void>;

/** Each act is followed by the one that takes it back. */
function actsOf(db: Db): Readonly<Record<string, Readonly<Record<Way, Work>>>> {
  const ask = asker('product');
  const askRaw = asker('raw');
  const rawIn = ({ character, rooms, at }: Corner) => ({ ...askRaw(character), room: rooms[at] });
  return {
    'take, drop': {
      product: async (corner) => {
        const act = ask(corner.character);
        const handle = corner.hasLamp ? dropItem : pickUpItem;
        requireDone(await handle(db, act, corner.lamp.id));
        corner.hasLamp = !corner.hasLamp;
      },
      'raw driver': async (corner) => {
        await (corner.hasLamp ? rawDrop : rawTake)(db, rawIn(corner), corner.lamp);
        corner.hasLamp = !corner.hasLamp;
      },
    },
    'move through an exit': {
      product: async (corner) => {
        requireDone(await moveCharacter(db, ask(corner.character), corner.ways[corner.at]));
        corner.at = other(corner.at);
      },
      'raw driver': async (corner) => {
        const to = other(corner.at);
        await rawMove(db, rawIn(corner), corner.ways[corner.at], corner.rooms[to]);
        corner.at = to;
      },
    },
    'buy, sell': {
      product: async (corner) => {
        const trade = corner.hasBought ? sellItem : buyItem;
        requireDone(await trade(db, ask(corner.character), corner.shopkeeper, corner.ware.id));
        corner.hasBought = !corner.hasBought;
      },
      'raw driver': async (corner) => {
        const { shopkeeper, character, ware: item, hasBought } = corner;
        const seller = hasBought ? character : shopkeeper;
        await rawTrade(db, rawIn(corner), { shopkeeper, seller, item, price: hasBought ? 0 : (item.price ?? 0) });
        corner.hasBought = !hasBought;
      },
    },
    'put into a bag, take out of it': {
      product: async (corner) => {
        const { coin, bag, isInBag } = corner;
        const act = ask(corner.character);
        requireDone(await (isInBag ? takeItemOut(db, act, coin.id) : putItemInto(db, act, coin.id, bag)));
        corner.isInBag = !isInBag;
      },
      'raw driver': async (corner) => {
        const { coin, bag, isInBag } = corner;
        const item = { ...coin, inside_id: isInBag ? bag : null };
        await rawPutInto(db, rawIn(corner), item, isInBag ? null : bag);
        corner.isInBag = !isInBag;
      },
    },
  };
}

const other = (at: 0 | 1): 0 | 1 => (at === 0 ? 1 : 0);
const cell = (act: string, callers: number, way: Way) => [act, String(callers), way];

export const acts: Benchmark = {
  name: 'game-acts',
  title: 'Acts of a game against the raw driver',
  run: (surroundings) => inOwnDatabase(surroundings, (_client, db) => measure(db, surroundings)),
};

async function measure(db: Db, { rounds, scale, log }: Surroundings): Promise<Findings> {
  await buildIndexes(db);
  const corners = await storeCorners(db, Math.max(...CALLERS));
  const all = actsOf(db);
  const contest = new Contest({ perSecond: 'acts per second', p50: 'p50 ms', p99: 'p99 ms', cpu: 'CPU µs' });
  const screens = new Contest({ p50: 'p50 ms', p99: 'p99 ms', cpu: 'CPU µs' });
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? ways : ways.toReversed();
    for (const way of order) {
      const screen = await measureCallers(1, SCREENS_MS * scale, (_, turn) => readScreen(db, way, corners, turn));
      if (round > 0) screens.add([way], screen);
    }
    for (const [name, act] of Object.entries(all))
      for (const callers of CALLERS)
        for (const way of order) {
          const figures = await measureCallers(callers, MS * scale, async (caller) => {
            await act[way](corners[caller] as Corner);
            return 1;
          });
          for (const corner of corners) if (corner.at === 1) await act[way](corner); // everything else is in the first room
          if (round > 0) contest.add(cell(name, callers, way), figures);
        }
    log(round === 0 ? 'warm-up done' : `round ${round} done`);
  }
  const [corner] = corners as [Corner];
  const { documentsRead } = await countCommands(db, () => readScreen(db, 'product', corners, 0));
  const bytes = BSON.calculateObjectSize((await characters(db).findOne({ _id: corner.character })) ?? {});
  return report({ names: Object.keys(all), contest, screens, documentsRead, bytes, rounds });
}

async function readScreen(db: Db, way: Way, corners: readonly Corner[], turn: number): Promise<number> {
  const { character } = corners[turn % corners.length] as Corner;
  const screen =
    way === 'product'
      ? await findCharacterOf(db, ownerOf(character), character)
      : await characters(db).findOne({ _id: character });
  if (!screen?.location.name) throw new Error(`There is no screen of ${character}`);
  return 1;
}

interface Measured {
  readonly names: readonly string[];
  readonly contest: Contest<'perSecond' | 'p50' | 'p99' | 'cpu'>;
  readonly screens: Contest<'p50' | 'p99' | 'cpu'>;
  readonly documentsRead: number;
  readonly bytes: number;
  readonly rounds: number;
}

function report({ names, contest, screens, documentsRead, bytes, rounds }: Measured): Findings {
  const cases = names.flatMap((name) => CALLERS.map((callers) => ({ name, callers })));
  const lines = cases.flatMap(({ name, callers }) =>
    ways.map((way) => ({ cell: cell(name, callers, way), base: cell(name, callers, 'raw driver') })),
  );
  const callersOf = (callers: number) => (callers === 1 ? '1 caller' : `${callers} callers`);
  return {
    verdicts: [
      { row: 'documents read for a screen', against: '', measured: documentsRead, bound: 'at most', goal: 1 },
      {
        row: 'p50 of a screen',
        against: '`findOne` with the raw driver',
        measured: screens.ratio('p50', ['product'], ['raw driver']),
        bound: 'at most',
        goal: SCREEN_GOAL,
        unit: ' times',
      },
      ...cases.map(
        ({ name, callers }): Verdict => ({
          row: `rate: ${name}, ${callersOf(callers)}`,
          against: 'the same commands with the raw driver',
          measured: contest.ratio('perSecond', cell(name, callers, 'product'), cell(name, callers, 'raw driver')),
          bound: 'at least',
          goal: GOAL,
          unit: ' times',
        }),
      ),
    ],
    tables: [
      screens.table(
        ['screen'],
        ways.map((way) => ({ cell: [way], base: ['raw driver'] })),
        { of: 'p50', heading: 'p50 ÷ raw' },
      ),
      contest.table(['act', 'callers', 'method'], lines, { of: 'perSecond', heading: 'rate ÷ raw' }),
    ],
    notes: [
      `${roundsOf(rounds)}; the methods alternate, in an order that changes with the round. Every caller has a character of its own in a corner of the world: two rooms with a shopkeeper and 8 items, and the last 100 happenings in every document. The document of a screen has ${format(bytes / 1000)} kB. CPU is that of this process.`,
      'The raw driver sends as many commands: the same reads and the same guarded updates, without the checks and the texts of the model. Both give the character that acts what has happened and the effect of its act; the copies of the room follow later and are measured in `game-room`.',
    ],
  };
}
