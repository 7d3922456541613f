/** What clients were told of their posts, and what must be stored in the end. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { discussions } from '../../src/models/comments/discussion/discussion.js';
import { type PostDocument, posts } from '../../src/models/social/posts/post.js';
import { discussionOfPost } from '../../src/models/social/posts/post-comments.js';
import { idOfType } from '../../src/shared/global-id.js';

/** A text that a post was given, or may have been: of a call that was refused in the end, an earlier attempt may have been carried out. */
interface Text {
  readonly text: string;
  readonly begun: number;
  ended: number;
  isAcknowledged: boolean;
}

interface Entry {
  readonly texts: Text[];
  /** Comments that were acknowledged. */
  readonly comments: string[];
  wasDeleteSent: boolean;
  isDeleted: boolean;
}

/** Tells how a call ended. */
type End = (isAcknowledged: boolean) => void;

/** By the global ids of posts. */
export class PostLedger {
  readonly #entries = new Map<string, Entry>();
  #moment = 0;

  /** A post is acknowledged: nobody can edit it before. */
  publish(id: string, text: string): void {
    const begun = this.#next();
    const first = { text, begun, ended: this.#next(), isAcknowledged: true };
    this.#entries.set(id, { texts: [first], comments: [], wasDeleteSent: false, isDeleted: false });
  }

  /** It is about to be sent. */
  edit(id: string, text: string): End {
    const sent: Text = { text, begun: this.#next(), ended: Number.POSITIVE_INFINITY, isAcknowledged: false };
    this.#of(id).texts.push(sent);
    return (isAcknowledged) => {
      sent.ended = this.#next();
      sent.isAcknowledged = isAcknowledged;
    };
  }

  /** It is about to be sent. */
  delete(id: string): End {
    const entry = this.#of(id);
    entry.wasDeleteSent = true;
    return (isAcknowledged) => {
      entry.isDeleted ||= isAcknowledged;
    };
  }

  /** A comment is acknowledged. */
  comment(id: string, text: string): void {
    this.#of(id).comments.push(text);
  }

  async expectKept(db: Db): Promise<void> {
    const stored = new Map((await posts(db).find().toArray()).map((post) => [post._id, post]));
    const known = new Map([...this.#entries].map(([id, entry]) => [idOfType('Post', id) ?? '', entry]));
    expect([...stored.keys()].toSorted(), 'the posts').toEqual([...known.keys()].toSorted()); // each call posted once
    const talk = await discussions(db).find().toArray();
    const commentsOf = new Map(talk.map(({ _id, comments }) => [_id, comments?.map(({ text }) => text) ?? []]));
    for (const [id, entry] of known) {
      expectPost(id, stored.get(id), entry);
      const texts = commentsOf.get(discussionOfPost(id)) ?? [];
      if (entry.isDeleted) expect(texts, `the comments of ${id}, which is deleted`).toEqual([]);
      if (!entry.wasDeleteSent) expect(texts, `the comments of ${id}`).toEqual(expect.arrayContaining(entry.comments));
      expect(new Set(texts).size, `the comments of ${id}, each once`).toBe(texts.length);
    }
  }

  #of(id: string): Entry {
    const entry = this.#entries.get(id);
    if (!entry) throw new Error(`${id} was never acknowledged`);
    return entry;
  }

  #next(): number {
    this.#moment += 1;
    return this.#moment;
  }
}

function expectPost(id: string, post: PostDocument | undefined, { texts, wasDeleteSent, isDeleted }: Entry): void {
  if (isDeleted) expect(post, `${id}, which is deleted`).toMatchObject({ text: '', deleted: expect.any(Date) });
  if (!wasDeleteSent) expect(post?.live, `whether ${id} is there`).toBe(true);
  // The last one. Of several at the same time, any: none that had ended when an acknowledged one began.
  const last = texts.filter(({ ended }) => !texts.some((later) => later.isAcknowledged && later.begun > ended));
  if (post?.live)
    expect(
      last.map(({ text }) => text),
      `the text of ${id}`,
    ).toContain(post.text);
}
