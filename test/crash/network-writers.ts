/** Members of the network who act at random, while servers are killed, and what must be true of their acts in the end. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { Random } from '../../harness/random.js';
import { waitFor } from '../../harness/wait-for.js';
import { users } from '../../src/models/people/user.js';
import { people } from '../../src/models/social/network/person.js';
import { voteId, votes } from '../../src/models/social/posts/poll.js';
import { posts } from '../../src/models/social/posts/post.js';
import { idOfType } from '../../src/shared/global-id.js';
import { PostLedger } from './post-ledger.js';
import { answerOrNull } from './scenario.js';
import type { Servers } from './servers.js';

const WRITERS = 8;
const SETTLED_MS = 60_000;
const OPTIONS = 2;
/** What has to happen, or a run shows nothing. */
const ACTS = [
  ...['publishPost: Post', 'editPost: Post', 'deletePost: DeletedPost', 'postComment: Comment', 'voteInPoll: Post'],
  ...['createCircle: Circle', 'renameCircle: Circle', 'deleteCircle: DeletedCircle', 'changeName: User'],
  ...['addToCircle: Circle', 'removeFromCircle: Circle', 'blockPerson: Profile', 'unblockPerson: Profile'],
];
/** What a call may fail with, for example for a post about which somebody else has decided meanwhile. */
const FAILURES = ['BAD_USER_INPUT', 'NOT_FOUND', 'FORBIDDEN'];

export interface Member {
  /** The global id. */
  readonly id: string;
  /** The stored id. */
  readonly account: string;
  readonly token: string;
}

interface Sent {
  readonly id: string;
  readonly by: Member;
}

interface Circle extends Sent {
  /** All that it was to be called. */
  readonly names: Set<string>;
  /** Who was added, and has not been removed. */
  readonly added: Set<Member>;
  isDeleted: boolean;
}

interface Done {
  readonly __typename: string;
  readonly id?: string;
  readonly circle?: { readonly id: string };
}

/** One call after the other, each of which is sent again until it is answered. */
export class Writers {
  readonly #members: readonly Member[];
  readonly #servers: Servers;
  readonly #random: Random;
  readonly #posts: Sent[] = [];
  readonly #polls: Sent[] = [];
  readonly #ledger = new PostLedger();
  /** By member: the one that is in use, and those that were. */
  readonly #circles = new Map<string, Circle>();
  readonly #allCircles: Circle[] = [];
  readonly #blocks: { readonly by: Member; readonly other: Member }[] = [];
  /** By the stored id of a vote: the options that were sent. */
  readonly #votes = new Map<string, Set<number>>();
  /** The stored ids of those that were counted. */
  readonly #counted = new Set<string>();
  /** Which calls were answered with which types. */
  readonly #outcomes = new Set<string>();
  #answers = 0;
  #calls = 0;
  #hasLeft = false;
  readonly #ended: Promise<unknown>;

  constructor(members: readonly Member[], servers: Servers, random: Random) {
    this.#members = members;
    this.#servers = servers;
    this.#random = random;
    this.#ended = Promise.all(Array.from({ length: WRITERS }, () => this.#write()));
  }

  /** Waits until this many more calls are answered. */
  async reach(answers: number): Promise<void> {
    const end = this.#answers + answers;
    await waitFor(`${answers} answers`, SETTLED_MS, async () => (this.#answers >= end ? true : null));
  }

  /** Waits until each act has happened: refusals alone would leave everything as it was. */
  async reachAll(): Promise<void> {
    const lacking = () => ACTS.filter((act) => !this.#outcomes.has(act));
    await waitFor('every act', SETTLED_MS, async () => (lacking().length === 0 ? true : null)).catch((error) => {
      throw new Error(`${error}. Never happened: ${lacking()}`);
    });
  }

  async leave(): Promise<void> {
    this.#hasLeft = true;
    await this.#ended;
  }

  /** What was answered is there, once the workers have run. */
  async expectKept(db: Db): Promise<void> {
    await expectNames(db);
    await this.#expectCircles(db);
    await this.#expectVotes(db);
    await this.#ledger.expectKept(db);
  }

  async #expectCircles(db: Db): Promise<void> {
    const all = await people(db).find().toArray();
    const circles = new Map(all.map((person) => [person._id, person.circles]));
    for (const { id, by, names, isDeleted } of this.#allCircles) {
      const found = circles.get(by.account)?.find((circle) => idOfType('Circle', id) === `${by.account}/${circle.id}`);
      if (isDeleted) expect(found, `a circle of ${by.account} that was deleted`).toBeUndefined();
      else expect([...names], `the name of a circle of ${by.account}`).toContain(found?.name);
    }
    for (const { _id, circles: own, following } of all) {
      const ids = own.map((circle) => circle.id);
      expect(new Set(own.map(({ name }) => name)).size, `names of circles of ${_id}`).toBe(own.length);
      const stray = following.flatMap((followed) => followed.circles.filter((circle) => !ids.includes(circle)));
      expect(stray, `people in circles that ${_id} does not have`).toEqual([]);
    }
  }

  /** That the counters agree with the votes is an invariant of the network. */
  async #expectVotes(db: Db): Promise<void> {
    const live = new Set((await posts(db).find({ type: 'POLL', live: true }).toArray()).map(({ _id }) => _id));
    const options = new Map((await votes(db).find().toArray()).map(({ _id, option }) => [_id, option]));
    for (const vote of this.#counted)
      if (live.has(vote.split('?', 1)[0] ?? ''))
        expect([...(this.#votes.get(vote) ?? [])], `the vote ${vote}`).toContain(options.get(vote));
  }

  async #write(): Promise<void> {
    while (!this.#hasLeft) {
      await this.#act();
      this.#answers += 1;
    }
  }

  async #act(): Promise<void> {
    const by = this.#anyone();
    const other = this.#anyone();
    const dice = this.#random.below(28);
    if (dice < 9) return this.#publish(by);
    if (dice < 13) return this.#add(by, other);
    if (dice < 15) return this.#remove();
    if (dice < 17) return this.#block(by, other);
    if (dice < 18) return this.#unblock();
    if (dice < 21) return this.#vote(by);
    if (dice < 23) return this.#renameCircle();
    if (dice < 24) return this.#deleteCircle();
    if (dice < 25) return void (await this.#call(by, 'changeName', `name: "Renamed ${this.#count()}"`));
    const post = this.#oneOf(this.#posts);
    if (!post) return;
    if (dice < 26) await this.#delete(post);
    else if (dice < 27) await this.#edit(post);
    else await this.#comment(by, post);
  }

  async #delete({ id, by }: Sent): Promise<void> {
    const end = this.#ledger.delete(id);
    const done = await this.#call(by, 'deletePost', `id: "${id}"`);
    end(done?.__typename === 'DeletedPost');
  }

  async #edit({ id, by }: Sent): Promise<void> {
    const text = `Edited ${this.#count()}`;
    const end = this.#ledger.edit(id, text);
    const done = await this.#call(by, 'editPost', `id: "${id}", text: "${text}"`);
    end(done?.__typename === 'Post');
  }

  async #comment(by: Member, { id }: Sent): Promise<void> {
    const text = `Yes ${this.#count()}`;
    const done = await this.#call(by, 'postComment', `nodeId: "${id}", text: "${text}", ${this.#key()}`);
    if (done?.__typename === 'Comment') this.#ledger.comment(id, text);
  }

  async #publish(by: Member): Promise<void> {
    const random = this.#random;
    const circle = this.#circles.get(by.account)?.id;
    const audience = random.pick(['PUBLIC', 'MY_CIRCLES', ...(circle ? (['CIRCLES'] as const) : [])]);
    const circles = audience === 'CIRCLES' ? `, circleIds: ["${circle}"]` : '';
    const wall = random.below(4) === 0 ? `, onWallOf: "${this.#anyone().id}"` : '';
    const isPoll = random.below(3) === 0;
    const poll = isPoll ? ', type: POLL, poll: { question: "Which?", options: ["One", "Two"] }' : '';
    const text = `Post ${this.#count()}`;
    const input = `{ text: "${text}", audience: ${audience}${circles}${wall}${poll} }`;
    const done = await this.#call(by, 'publishPost', `input: ${input}, ${this.#key()}`);
    if (!done?.id) return;
    this.#ledger.publish(done.id, text);
    this.#posts.push({ id: done.id, by });
    if (isPoll) this.#polls.push({ id: done.id, by });
  }

  async #vote(by: Member): Promise<void> {
    const poll = this.#oneOf(this.#polls);
    if (!poll) return;
    const id = voteId(idOfType('Post', poll.id) ?? '', by.account);
    const option = this.#random.below(OPTIONS);
    this.#votes.set(id, (this.#votes.get(id) ?? new Set()).add(option));
    const done = await this.#call(by, 'voteInPoll', `postId: "${poll.id}", option: ${option}`);
    if (done?.id) this.#counted.add(id);
  }

  async #add(by: Member, other: Member): Promise<void> {
    const circle = this.#circles.get(by.account) ?? (await this.#createCircle(by));
    if (!circle) return;
    const done = await this.#call(by, 'addToCircle', `circleId: "${circle.id}", userId: "${other.id}"`);
    if (done?.__typename === 'Circle') circle.added.add(other);
  }

  /** Somebody who is in the circle: of others, the answer would be the same, and nothing would change. */
  async #remove(): Promise<void> {
    const circle = this.#oneOf([...this.#circles.values()].filter(({ added }) => added.size > 0));
    const other = circle && this.#oneOf([...circle.added]);
    if (!other) return;
    circle.added.delete(other);
    await this.#call(circle.by, 'removeFromCircle', `circleId: "${circle.id}", userId: "${other.id}"`);
  }

  async #block(by: Member, other: Member): Promise<void> {
    const done = await this.#call(by, 'blockPerson', `userId: "${other.id}"`);
    if (done?.__typename === 'Profile') this.#blocks.push({ by, other });
  }

  /** Somebody who is blocked, for the same reason. */
  async #unblock(): Promise<void> {
    const [block] = this.#blocks.splice(this.#random.below(this.#blocks.length), 1);
    if (block) await this.#call(block.by, 'unblockPerson', `userId: "${block.other.id}"`);
  }

  async #createCircle(by: Member): Promise<Circle | null> {
    const name = `Friends ${this.#count()}`;
    const done = await this.#call(by, 'createCircle', `name: "${name}"`);
    const id = done?.id ?? done?.circle?.id; // taken by the same call, whose answer was lost
    if (!id) return null;
    const circle = { id, by, names: new Set([name]), added: new Set<Member>(), isDeleted: false };
    this.#circles.set(by.account, circle);
    this.#allCircles.push(circle);
    return circle;
  }

  async #renameCircle(): Promise<void> {
    const circle = this.#oneOf([...this.#circles.values()]);
    if (!circle) return;
    const name = `Family.$${this.#count()}`;
    circle.names.add(name);
    await this.#call(circle.by, 'renameCircle', `id: "${circle.id}", name: "${name}"`);
  }

  async #deleteCircle(): Promise<void> {
    const circle = this.#oneOf([...this.#circles.values()]);
    if (!circle) return;
    this.#circles.delete(circle.by.account); // others may still act in it
    await this.#call(circle.by, 'deleteCircle', `id: "${circle.id}"`);
    circle.isDeleted = true;
  }

  /** Until it is answered. Being busy is an answer that asks for a retry. */
  async #call(by: Member, name: string, args: string): Promise<Done | null> {
    const query = `mutation { done: ${name}(${args}) { __typename ${FIELDS[name] ?? ''} } }`;
    for (;;) {
      const product = this.#servers.any(this.#random);
      const answer = await answerOrNull(product.request<{ readonly done: Done | null }>(query, {}, by.token));
      const code = answer?.errors?.[0]?.extensions?.code;
      if (!answer || code === 'SERVER_BUSY') continue;
      if (code !== undefined) expect(FAILURES, JSON.stringify(answer)).toContain(code);
      const done = answer.data?.done ?? null;
      this.#outcomes.add(`${name}: ${done?.__typename ?? code}`);
      return done;
    }
  }

  #anyone(): Member {
    return this.#members[this.#random.below(this.#members.length)] as Member;
  }

  #oneOf<Some>(some: readonly Some[]): Some | undefined {
    return some[this.#random.below(some.length)];
  }

  #count(): number {
    this.#calls += 1;
    return this.#calls;
  }

  #key(): string {
    return `idempotencyKey: "${this.#random.seed}-${this.#count()}"`;
  }
}

/** Of the mutations whose answers are needed. */
const FIELDS: Readonly<Record<string, string>> = {
  publishPost: '... on Post { id }',
  voteInPoll: '... on Post { id }',
  createCircle: '... on Circle { id } ... on CircleNameTaken { circle { id } }',
};

/** People are called what their accounts are called. */
async function expectNames(db: Db): Promise<void> {
  const accounts = await users(db).find().toArray();
  const named = new Map((await people(db).find().toArray()).map(({ _id, name }) => [_id, name]));
  for (const { _id, name } of accounts) if (named.has(_id)) expect(named.get(_id), `the name of ${_id}`).toBe(name);
}
