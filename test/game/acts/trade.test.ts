/** Buying and selling. */
import { beforeEach, describe, expect, it } from 'vitest';
import { dropItem } from '../../../src/models/game/acts/handling.js';
import { moveCharacter } from '../../../src/models/game/acts/movement.js';
import { buyItem, findGoods, sellItem } from '../../../src/models/game/acts/trade.js';
import { relocateItem } from '../../../src/models/game/moderation/moderation.js';
import { characters } from '../../../src/models/game/world/character.js';
import { items } from '../../../src/models/game/world/item.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { openWorld, type World } from '../game-support.js';

const database = useDatabase();
let world: World;
let tim: string;
let bert: string;

beforeEach(async () => {
  world = await openWorld(database.db, { shop: { out: 'street' }, street: { in: 'shop' } });
  bert = await world.folk('Bert', 'shop', 30);
  await world.item('rope', 'Bert', { price: 40 });
  await world.item('crown', 'Bert', { price: 900 });
  await world.item('apron', 'Bert');
  tim = await world.character('Tim');
});

const gold = async () => [(await world.of(tim)).gold, (await world.of(bert)).gold];

const relocate = (id: string, to: string) =>
  relocateItem(
    database.db,
    id,
    { kind: to === 'shop' ? 'Location' : 'Character', id: to },
    { call: world.nextCall(), act: { ...testAct(), at: world.later() }, changed: () => undefined },
  );

describe('buying', () => {
  it('moves the item one way and the gold the other', async () => {
    const after = await buyItem(database.db, world.act(tim), bert, 'rope');
    expect(after).toMatchObject({ gold: 60, inventory: [{ id: 'rope' }] });
    expect(await gold()).toEqual([60, 70]);
    expect(await world.carried(bert)).toEqual(['crown', 'apron']);
    expect((await world.heard(tim)).at(-1)).toBe('You buy the rope from Bert for 40 gold.');
  });
  it.each([
    ['what is too expensive', 'crown', 'NotEnoughGold'],
    ['what has no price', 'apron', 'NotForSale'],
    ['what is not there', 'nothing', 'ItemGone'],
  ])('refuses %s and changes nothing', async (_case, item, refusal) => {
    expect(await buyItem(database.db, world.act(tim), bert, item)).toMatchObject({ __typename: refusal });
    expect(await gold()).toEqual([100, 30]);
    expect(await world.carried(tim)).toEqual([]);
    expect((await world.of(bert)).transits).toEqual([]);
  });
  it('needs a shopkeeper in the same room', async () => {
    const folk = await world.folk('Guest', 'shop', 0, 'FOLK');
    expect(await buyItem(database.db, world.act(tim), folk, 'rope')).toMatchObject({ __typename: 'NobodyThere' });
    await moveCharacter(database.db, world.act(tim), 'out');
    expect(await buyItem(database.db, world.act(tim), bert, 'rope')).toMatchObject({ __typename: 'NobodyThere' });
    expect(await findGoods(database.db, 'user-tim', tim, bert)).toBeNull();
  });
  it('shows what is for sale', async () => {
    expect(await findGoods(database.db, 'user-tim', tim, bert)).toMatchObject([{ id: 'rope' }, { id: 'crown' }]);
    expect(await findGoods(database.db, 'somebody', tim, bert)).toBeNull();
  });
});

describe('selling', () => {
  it('pays half the price, rounded down', async () => {
    await buyItem(database.db, world.act(tim), bert, 'rope');
    const after = await sellItem(database.db, world.act(tim), bert, 'rope');
    expect(after).toMatchObject({ gold: 80, inventory: [] });
    expect(await gold()).toEqual([80, 50]);
  });
  it('is refused by whoever is no shopkeeper', async () => {
    await buyItem(database.db, world.act(tim), bert, 'rope');
    const sell = (to: string) => sellItem(database.db, world.act(tim), to, 'rope');
    const ann = await world.character('Ann');
    expect(await sell(ann)).toMatchObject({ __typename: 'NobodyThere', message: 'Ann is no shopkeeper' });
    await moveCharacter(database.db, world.act(ann), 'out');
    for (const away of [ann, 'zoe'])
      expect(await sell(away)).toMatchObject({ __typename: 'NobodyThere', message: 'Nobody of this name is here' });
  });
  it('is refused if the shopkeeper cannot pay, or the item has no price', async () => {
    await characters(database.db).updateOne({ _id: bert }, { $pull: { inventory: { id: 'crown' } } });
    const crown = { ...(await items(database.db).findOne({ _id: 'crown' })), id: 'crown', inside_id: null };
    const { _id, transits, ...entry } = crown as never as Record<string, unknown>;
    await characters(database.db).updateOne(
      { _id: tim },
      { $push: { inventory: entry as never }, $inc: { weight: 100 } },
    );
    expect(await sellItem(database.db, world.act(tim), bert, 'crown')).toMatchObject({
      __typename: 'NotEnoughGold',
      price: 450,
    });
    expect(await gold()).toEqual([100, 30]);
    expect(await world.carried(tim)).toEqual(['crown']);
  });
});

describe('a container that is not empty', () => {
  beforeEach(async () => {
    await world.item('purse', 'Bert', { kind: 'CONTAINER', price: 4 });
    await world.item('diamond', 'purse', { price: 1000 });
  });

  it('is not for sale', async () => {
    const goods = await findGoods(database.db, 'user-tim', tim, bert);
    expect(goods?.map(({ id }) => id)).toEqual(['rope', 'crown']);
    expect(await buyItem(database.db, world.act(tim), bert, 'purse')).toMatchObject({
      __typename: 'NotForSale',
      message: 'The purse is not for sale while something is inside',
    });
    expect(await gold()).toEqual([100, 30]);
    expect(await world.carried(tim)).toEqual([]);
  });
  it('is not bought from a player, who is told to empty it', async () => {
    for (const to of ['shop', tim]) await relocate('purse', to);
    expect(await sellItem(database.db, world.act(tim), bert, 'purse')).toMatchObject({
      __typename: 'NotForSale',
      message: 'Bert does not pay for what is inside: empty the purse first',
    });
    expect(await world.carried(tim)).toEqual(['purse', 'diamond']);
    expect(await gold()).toEqual([100, 30]);
    await dropItem(database.db, world.act(tim), 'diamond');
    expect(await sellItem(database.db, world.act(tim), bert, 'purse')).toMatchObject({ gold: 102, inventory: [] });
  });
});

describe('two buyers of the last one', () => {
  it('one gets it and pays, the other one is told', async () => {
    const ann = await world.character('Ann');
    const outcomes = await Promise.all([tim, ann].map((buyer) => buyItem(database.db, world.act(buyer), bert, 'rope')));
    expect(outcomes.filter((outcome) => '_id' in outcome).length).toBe(1);
    expect(outcomes.find((outcome) => '__typename' in outcome)).toMatchObject({ __typename: 'ItemGone' });
    const carried = [...(await world.carried(tim)), ...(await world.carried(ann))];
    expect(carried).toEqual(['rope']);
    expect((await world.of(tim)).gold + (await world.of(ann)).gold).toBe(160);
    expect((await world.of(bert)).gold).toBe(70);
  });
});
