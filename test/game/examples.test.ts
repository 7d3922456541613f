/** The examples of the game in GraphiQL, run one after the other as somebody would who tries them. */
import { print } from 'graphql';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.js';
import { type Answer, operationsOf } from '../support/examples.js';
import { useServer } from '../support/server.js';
import { World } from './game-support.js';

const database = useDatabase();
const server = useServer(database);

const operations = operationsOf('game');

describe('the examples of the game', () => {
  it('run as they are, in their order, and are not refused', async () => {
    await new World(database.db).rooms({ hall: { north: 'kitchen' }, kitchen: { south: 'hall' } });
    const client = server.connect(server.token);
    const answers: Record<string, Answer> = {};
    for (const operation of operations) {
      const name = operation.name?.value ?? '';
      const created = answers.CreateCharacter?.createCharacter?.id;
      const isAsked = operation.variableDefinitions?.some(({ variable }) => variable.name.value === 'characterId');
      const variables = isAsked ? { characterId: created } : {};
      if (operation.operation === 'subscription') {
        const events = client.iterate<Answer>({ query: print(operation), variables });
        const { value } = await events.next();
        expect(value?.errors, name).toBeUndefined();
        answers[name] = value?.data ?? {};
        await events.return?.();
        continue;
      }
      const { data, errors } = await server.request<Answer>(print(operation), variables);
      expect(errors, name).toBeUndefined();
      expect(JSON.stringify(data), name).not.toContain('"message"');
      answers[name] = data ?? {};
    }
    expect(answers.MoveCharacter).toMatchObject({ moveCharacter: { location: { name: 'The kitchen' } } });
    expect(answers.RoomChanged).toMatchObject({ roomChanged: { character: { location: { name: 'The kitchen' } } } });
    expect(answers.SaveItems).toMatchObject({ saveItems: { saved: 2, rejected: [] } });
    expect(answers.SaveFolk).toMatchObject({ saveFolk: { saved: 1, rejected: [] } });
    expect(answers.CrowdsChanged).toMatchObject({ crowdsChanged: { reset: false } });
    await client.dispose();
  });
});
