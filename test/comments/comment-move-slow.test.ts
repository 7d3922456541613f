/** A move on a slow database: each message to it is late, as beside a busy neighbor. */
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CommentDesign } from '../../src/models/comments/discussion/comment.js';
import { findDiscussion, type Subject } from '../../src/models/comments/discussion/discussion.js';
import { DiscussionWriter } from '../../src/models/comments/discussion-write.js';
import { commentMove } from '../../src/models/comments/move/comment-move.js';
import { startMove } from '../../src/models/comments/move/move-start.js';
import { editComment, postComment } from '../../src/models/comments/posting.js';
import { WorkLoop } from '../../src/models/system/work/work-loop.js';
import { useDatabase } from '../support/database.js';
import { type LossyProxy, startLossyProxy } from '../support/lossy-proxy.js';
import { testAct } from '../support/people.js';

/** A transaction on a discussion then takes more than 100 ms. */
const MESSAGE_MS = 20;
const database = useDatabase();
const writer = new DiscussionWriter();
let proxy: LossyProxy;
let client: MongoClient;

beforeAll(async () => {
  const { hostname, port } = new URL(database.uri);
  proxy = await startLossyProxy({ host: hostname, port: Number(port) });
  client = await MongoClient.connect(proxy.uri, { writeConcern: { w: 'majority' }, ignoreUndefined: true });
  proxy.delay(MESSAGE_MS);
});
afterAll(async () => {
  await client.close();
  await proxy.close();
});

const subject: Subject = { discussion: 'Test:slow', policy: 'MEMBERS', design: 'ONE_EACH', ownerIds: [] };

it('a discussion is moved through all designs while somebody writes all the time', async () => {
  const db = client.db(database.db.databaseName);
  const author = { _id: 'ann', name: '' };
  const post = async (text: string) => {
    const comment = { author, isMember: true, text, replyTo: null, now: new Date() };
    expect(await postComment(db, writer, subject, comment)).toMatchObject({ text });
  };
  const edit = (number: number, text: string) =>
    editComment(db, writer, subject, {
      number,
      text,
      changer: { accountId: 'ann', isModerator: false },
      now: new Date(),
    });
  const move = async (to: CommentDesign) => {
    const started = await startMove(db, testAct(), { subject, name: '/page', to, owner: null });
    if ('__typename' in started) throw new Error(started.message);
    const loop = new WorkLoop(db, [commentMove], {
      holder: randomUUID(),
      now: () => new Date(),
      onFault: (error) => {
        throw error;
      },
    });
    return loop.run(started._id);
  };

  await Promise.all(Array.from({ length: 20 }, (_, at) => post(`Before ${at}`)));
  let isOver = false;
  const writing = (async () => {
    for (let n = 0; !isOver; n += 1) {
      await post(`During ${n}`);
      await edit((n % 20) + 1, `Edited ${n}`);
    }
  })();
  try {
    for (const design of ['EMBEDDED', 'HYBRID', 'ONE_EACH'] as const) {
      expect(await move(design)).toMatchObject({ state: 'FINISHED' });
      expect(await findDiscussion(db, subject.discussion)).toMatchObject({ design });
    }
  } finally {
    isOver = true;
    await writing;
  }
});
