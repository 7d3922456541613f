/** New names of accounts: the network follows them at once, and tells those who look. */
import { beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { SocialApi } from '../social-api.js';

interface Shown {
  readonly author: { readonly name: string };
  readonly onWallOf: { readonly name: string } | null;
}

const database = useDatabase();
const server = useServer(database);
let api: SocialApi;

beforeAll(() => {
  api = new SocialApi(database, server);
});

const SHOWN = 'author { name } onWallOf { name }';

it('a new name is on the profile at once, and on posts in lists that are open', async () => {
  const { ann, ben } = await api.members('ann', 'ben');
  await api.circle(ben, 'Friends', ann);
  const id = await api.post(ann, 'By her');
  await api.post(ben, 'On her wall', { audience: 'PUBLIC', onWallOf: ann.id });
  await api.delivered();
  const wall = `subscription ($of: ID!) { wallChanged(userId: $of) { posts { ${SHOWN} } } }`;
  const lists = [
    api.follow<{ posts: Shown[] }>(ben, `subscription { newsChanged { posts { ${SHOWN} } } }`),
    api.follow<{ posts: Shown[] }>(ben, wall, { of: ann.id }),
    api.follow<{ posts: Shown[] }>(null, wall, { of: ann.id }),
    api.follow<{ posts: Shown[] }>(ann, `subscription { incomingChanged { posts { ${SHOWN} } } }`),
  ];
  const post = api.follow<{ post: Shown }>(
    ben,
    `subscription ($id: ID!) { postChanged(id: $id) { post { ${SHOWN} } } }`,
    {
      id,
    },
  );
  for (const each of [...lists, post]) await each.next();
  await api.ask('mutation { changeName(name: "Anna") { name } }', {}, ann);
  expect(await api.ask('query ($userId: ID) { profile(userId: $userId) { name } }', { userId: ann.id }, ben)).toEqual({
    profile: { name: 'Anna' },
  });
  const namesOf = ({ author, onWallOf }: Shown) => [author.name, onWallOf?.name];
  for (const list of lists) {
    const { posts } = await list.until((event) => event.posts.some((each) => namesOf(each).includes('Anna')));
    expect(posts.flatMap(namesOf)).not.toContain(ann.name);
  }
  await post.until((event) => event.post.author.name === 'Anna');
  for (const each of [...lists, post]) await each.close();
});
