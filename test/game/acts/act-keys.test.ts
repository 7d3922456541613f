/** Acts are many: their keys are counted apart from those of all other calls, and remembered for two hours. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ACT_KEYS } from '../../../src/models/game/acts/act.js';
import { characters } from '../../../src/models/game/world/character.js';
import { countIdOf, keyCounts, MEMBER_KEYS_MAX } from '../../../src/models/people/keyed-calls/key-count.js';
import { fromGlobalId } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { GameApi, type Gamer } from '../game-api.js';
import { World } from '../game-support.js';

const database = useDatabase();
const server = useServer(database);
let api: GameApi;

beforeAll(async () => {
  api = new GameApi(database, server);
  await new World(database.db).rooms({ hall: {} });
});

const speak = (gamer: Gamer, key: string) =>
  api.send<{ speak: { __typename: string } }>(
    `mutation($id: ID!) { speak(characterId: $id, text: "Hello", idempotencyKey: "${key}") { __typename } }`,
    { id: gamer.character },
    gamer,
  );
const used = (id: string, count: number) =>
  keyCounts(database.db).updateOne(
    { _id: id },
    { $set: { count, expires_at: new Date(Date.now() + 3_600_000) } },
    { upsert: true },
  );
const said = { data: { speak: { __typename: 'Character' } } };

describe('the keys of acts', () => {
  it('do not use up those of other calls, nor the other way round', async () => {
    const tim = await api.gamer('Tim');
    await used(tim.account, MEMBER_KEYS_MAX);
    expect(await speak(tim, 'one')).toMatchObject(said);
    expect(await keyCounts(database.db).findOne({ _id: tim.account })).toMatchObject({ count: MEMBER_KEYS_MAX });
    const own = await keyCounts(database.db).findOne({ _id: countIdOf(tim.account, ACT_KEYS) });
    expect(own?.count).toBe(1);
    const left = (own?.expires_at.getTime() ?? 0) - server.services.now().getTime();
    expect(Math.abs(left - ACT_KEYS.keepMs)).toBeLessThan(60_000);
  });
  it('have a limit of their own, and the last one can still be retried', async () => {
    const ann = await api.gamer('Ann');
    await used(countIdOf(ann.account, ACT_KEYS), ACT_KEYS.max - 1);
    expect(await speak(ann, 'last')).toMatchObject(said);
    expect((await speak(ann, 'beyond')).errors).toMatchObject([{ extensions: { code: 'LIMIT_EXCEEDED' } }]);
    expect(await speak(ann, 'last')).toMatchObject(said);
  });
  it('are tried again after a character was muted', async () => {
    const bob = await api.gamer('Bob');
    const _id = fromGlobalId(bob.character)?.id ?? '';
    await characters(database.db).updateOne({ _id }, { $set: { muted_until: new Date(Date.now() + 3_600_000) } });
    expect(await speak(bob, 'muted')).toMatchObject({ data: { speak: { __typename: 'CharacterMuted' } } });
    await characters(database.db).updateOne({ _id }, { $unset: { muted_until: '' } });
    expect(await speak(bob, 'muted')).toMatchObject(said);
  });
});
