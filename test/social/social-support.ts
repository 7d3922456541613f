/** A small network for tests, through the models. */
import type { Db } from 'mongodb';
import { unkeyed } from '../../src/database/index.js';
import { createCircle, type OwnCircle } from '../../src/models/social/network/circle.js';
import { addToCircle, removeFromCircle } from '../../src/models/social/network/following.js';
import { findPerson } from '../../src/models/social/network/person.js';
import { saveProfile } from '../../src/models/social/network/profile.js';
import { carryOut, isQueueEmpty } from '../../src/models/social/news/courier.js';
import type { PostDocument } from '../../src/models/social/posts/post.js';
import type { PostInput } from '../../src/models/social/posts/post-input.js';
import { publishPost } from '../../src/models/social/posts/publishing.js';

export const NO_PROFILE = { about: '', place: '', interests: [], picture: null };

export class Network {
  #calls = 0;
  #ms = Date.UTC(2026, 0, 1);

  constructor(readonly db: Db) {}

  /** Each call is a second later. */
  now(): Date {
    this.#ms += 1000;
    return new Date(this.#ms);
  }

  /** Moves the time forward. */
  wait(ms: number): void {
    this.#ms += ms;
  }

  async join(...ids: string[]): Promise<void> {
    for (const id of ids) await saveProfile(this.db, { id, name: `Name of ${id}` }, NO_PROFILE, this.now());
  }

  async circle(owner: string, name: string): Promise<string> {
    return ((await createCircle(this.db, owner, name)) as OwnCircle).id;
  }

  /** Adds somebody to a circle with this name, which is created if there is none. */
  async follow(owner: string, person: string, name = 'Friends'): Promise<string> {
    const known = (await findPerson(this.db, owner))?.circles.find((circle) => circle.name === name)?.id;
    const circle = known ?? (await this.circle(owner, name));
    await addToCircle(this.db, { owner, circle, person }, this.now());
    return circle;
  }

  async unfollow(owner: string, person: string, name = 'Friends'): Promise<void> {
    const circle = (await findPerson(this.db, owner))?.circles.find((each) => each.name === name)?.id ?? '';
    await removeFromCircle(this.db, { owner, circle, person }, this.now());
  }

  /** @param about a global id */
  async post(
    author: string,
    input: Partial<PostInput> = {},
    wall = author,
    about: string | null = null,
  ): Promise<PostDocument> {
    this.#calls += 1;
    const text = `Post ${this.#calls}`;
    const posted = await publishPost(this.db, {
      author,
      wall,
      about: about === null ? null : { id: about, isSeen: async () => true },
      input: { type: 'STATUS', text, audience: 'PUBLIC', circles: [], ...input },
      attempt: unkeyed(`call-${this.#calls}-${author}`, new Date()),
      now: this.now(),
    });
    if ('__typename' in posted) throw new Error(posted.message);
    return posted;
  }

  /** Carries out all that is due, also what is due in a moment. */
  async deliver(): Promise<void> {
    while (!(await isQueueEmpty(this.db))) await carryOut(this.db);
  }
}

export const idsOf = ({
  edges,
}: {
  readonly edges: readonly { readonly node: { readonly _id: string } }[];
}): string[] => edges.map(({ node }) => node._id);
