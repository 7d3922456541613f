/** The examples of the network in GraphiQL. */
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.js';
import { runExamples } from '../support/examples.js';
import { useServer } from '../support/server.js';
import { SocialApi } from './social-api.js';

const database = useDatabase();
const server = useServer(database);

describe('the examples of the network', () => {
  it('run as they are, in their order, and are not refused', async () => {
    const api = new SocialApi(database, server);
    const oona = await api.member('Oona');
    await api.post(oona, 'On her wall');
    const answers = await runExamples(
      server,
      'social',
      { userId: oona.id },
      {
        CreateCircle: ({ createCircle }) => ({ circleId: createCircle?.id }),
        PublishPost: ({ publishPost }) => ({ postId: publishPost?.id }),
      },
    );
    expect(answers.FindProfiles).toMatchObject({ findProfiles: { edges: [{ node: { id: oona.id } }] } });
    expect(answers.Wall).toMatchObject({ wall: { edges: [{ node: { text: 'On her wall' } }] } });
    expect(answers.NewsChanged).toMatchObject({ newsChanged: { reset: false, posts: [{ text: 'On her wall' }] } });
    expect(answers.Readers).toMatchObject({ explainVisibility: { isVisible: false, rule: 'NOT_IN_A_CIRCLE' } });
    expect(answers.DeletePost).toMatchObject({ deletePost: { __typename: 'DeletedPost' } });
  });
});
