/** The examples of the network in GraphiQL, run one after the other as somebody would who tries them. */
import { print } from 'graphql';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.js';
import { type Answer, operationsOf } from '../support/examples.js';
import { useServer } from '../support/server.js';
import { Follower, SocialApi } from './social-api.js';

const database = useDatabase();
const server = useServer(database);

const operations = operationsOf('social');

/** What a later example needs, by the operation whose answer tells it. */
const TOLD: Readonly<Record<string, (answer: Answer) => Record<string, unknown>>> = {
  CreateCircle: ({ createCircle }) => ({ circleId: createCircle?.id }),
  PublishPost: ({ publishPost }) => ({ postId: publishPost?.id }),
};

const REFUSED = /"__typename":"\w*(NotFound|Taken|Full|Closed|NotVote)"/;

describe('the examples of the network', () => {
  it('run as they are, in their order, and are not refused', async () => {
    const api = new SocialApi(database, server);
    const oona = await api.member('Oona');
    await api.post(oona, 'On her wall');
    let values: Record<string, unknown> = { userId: oona.id };
    const answers: Record<string, Answer> = {};
    for (const operation of operations) {
      const name = operation.name?.value ?? '';
      const declared = operation.variableDefinitions?.map(({ variable }) => variable.name.value) ?? [];
      const variables = Object.fromEntries(declared.map((each) => [each, values[each]]));
      if (operation.operation === 'subscription') {
        const follower = new Follower(server.connect(server.token), print(operation), variables);
        answers[name] = { event: (await follower.next()) as Answer[string] };
        await follower.close();
        continue;
      }
      const { data, errors } = await server.request<Answer>(print(operation), variables);
      expect(errors, name).toBeUndefined();
      expect(JSON.stringify(data), name).not.toMatch(REFUSED);
      answers[name] = data ?? {};
      values = { ...values, ...TOLD[name]?.(answers[name]) };
    }
    expect(answers.FindProfiles).toMatchObject({ findProfiles: { edges: [{ node: { id: oona.id } }] } });
    expect(answers.Wall).toMatchObject({ wall: { edges: [{ node: { text: 'On her wall' } }] } });
    expect(answers.NewsChanged).toMatchObject({ event: { reset: false, posts: [{ text: 'On her wall' }] } });
    expect(answers.Readers).toMatchObject({ explainVisibility: { isVisible: false, rule: 'NOT_IN_A_CIRCLE' } });
    expect(answers.DeletePost).toMatchObject({ deletePost: { __typename: 'DeletedPost' } });
  });
});
