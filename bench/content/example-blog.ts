/** A blog with 30 posts of about 900 words. */
import { MongoClient } from 'mongodb';
import { makeRandom, type Random } from '../../harness/random.js';
import { type NodeDocument, nodes } from '../../src/models/content/nodes/node.js';
import { type NewNode, requireNewNode } from '../../src/models/content/nodes/node-creation.js';
import type { Place } from '../support/contestants.js';

export const POST_PATH = '/blog/post-1';
export const RSS_PATH = '/blog/rss.xml';
const POSTS = 30;
const WORDS =
  'the tide went out at noon and instruments stayed where they were until somebody read height of water against every wind in knots by light from an old photometer nobody trusts except us'.split(
    ' ',
  );

/** About 900 words of Markdown, with a list, code and a quotation in each section. */
function makeText(random: Random): string {
  const words = (count: number) => Array.from({ length: count }, () => WORDS[random.below(WORDS.length)]).join(' ');
  const section = () => `## ${words(4)}

${words(60)}, **${words(2)}** and [${words(3)}](https://notes.example/${random.below(1000)}).

- ${words(8)}
- ${words(8)}

\`\`\`ts
export const height${random.below(1000)} = (at: Date): number => tide(at) + ${random.below(1000)};
\`\`\`

> ${words(12)}

`;
  return Array.from({ length: 8 }, section).join('');
}

/** A blog and its posts, in the form in which the model stores them. */
function makeBlog(): NodeDocument[] {
  const random = makeRandom(42);
  const at = new Date('2026-03-01T12:00:00Z');
  const stored = (call: string, input: NewNode) =>
    requireNewNode({ ...input, publishedAt: at }, { call, at, author: { _id: 'ann', name: 'Ann Marten' } });
  return [
    stored('blog', { type: 'BLOG', title: 'Field notes', slug: 'blog' }),
    ...Array.from({ length: POSTS }, (_, n) =>
      stored(`post-${n}`, {
        type: 'BLOG_POST',
        parentId: 'blog',
        title: `Notes of day ${n}`,
        slug: `post-${n}`,
        text: makeText(random),
        tags: ['tides', 'instruments'],
      }),
    ),
  ];
}

/** On a server that has started: its indexes exist. */
export async function storeBlog({ mongodbUri, database }: Place): Promise<void> {
  const client = await MongoClient.connect(mongodbUri);
  await nodes(client.db(database)).insertMany(makeBlog());
  await client.close();
}
