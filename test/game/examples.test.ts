/** The examples of the game in GraphiQL. */
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.js';
import { runExamples } from '../support/examples.js';
import { useServer } from '../support/server.js';
import { World } from './game-support.js';

const database = useDatabase();
const server = useServer(database);

describe('the examples of the game', () => {
  it('run as they are, in their order, and are not refused', async () => {
    await new World(database.db).rooms({ hall: { north: 'kitchen' }, kitchen: { south: 'hall' } });
    const answers = await runExamples(
      server,
      'game',
      {},
      { CreateCharacter: ({ createCharacter }) => ({ characterId: createCharacter?.id }) },
    );
    expect(answers.MoveCharacter).toMatchObject({ moveCharacter: { location: { name: 'The kitchen' } } });
    expect(answers.RoomChanged).toMatchObject({ roomChanged: { character: { location: { name: 'The kitchen' } } } });
    expect(answers.SaveItems).toMatchObject({ saveItems: { saved: 2, rejected: [] } });
    expect(answers.SaveFolk).toMatchObject({ saveFolk: { saved: 1, rejected: [] } });
    expect(answers.CrowdsChanged).toMatchObject({ crowdsChanged: { reset: false } });
  });
});
