/**
 * The people and posts of the attack on visibility: every relation to the author, every audience on both kinds of walls, and every type of
 * post. The types that have ways of their own, the picture of a photo and the votes of a poll, are in each row of the table; the others
 * take turns.
 */
import { addReferences } from '../../../src/models/social/news/news-page.js';
import { type PostType, posts } from '../../../src/models/social/posts/post.js';
import { idOfType, toGlobalId } from '../../../src/shared/global-id.js';
import { upload } from '../../system/assets/asset-client.js';
import { noise } from '../../system/assets/picture-support.js';
import type { Member, SocialApi } from '../social-api.js';

export const RELATIONS = [
  'the author',
  'in the circle',
  'in another circle',
  'a stranger',
  'blocked by the author',
  'who has blocked the author',
  'the owner of the wall',
  'in the circle, blocked by the owner of the wall',
  'not in the network',
  'an administrator',
  'a visitor',
] as const;
export type Relation = (typeof RELATIONS)[number];

const AUDIENCES = ['PUBLIC', 'MY_CIRCLES', 'CIRCLES'] as const;
const PLAIN = ['STATUS', 'LINK', 'CHECK_IN'] as const;
const FILLERS = 50; // more than a page: an answer that is found by going on has to go far

/** A row of the table. */
interface Row {
  readonly audience: (typeof AUDIENCES)[number];
  /** Whether it is on the wall of somebody else. */
  readonly isGuest: boolean;
}

const rows: readonly Row[] = AUDIENCES.flatMap((audience) => [false, true].map((isGuest) => ({ audience, isGuest })));
const typesOf = (row: number): readonly PostType[] => ['POLL', 'PHOTO', PLAIN[row % PLAIN.length] ?? 'STATUS'];

export interface Marked extends Row {
  readonly id: string;
  readonly type: PostType;
  /** Part of the text, and of whatever the type has besides. */
  readonly marker: string;
  /** Of a photo: the global id and the stored one. */
  readonly picture: { readonly id: string; readonly stored: string } | null;
  /** A comment on it. */
  readonly comment: { readonly id: string; readonly marker: string };
  /** A public post about it, by somebody who sees it. */
  readonly quote: string;
  readonly fanOut: string;
}

/** The rule, in other words than the product's. */
export function sees(relation: Relation, { audience, isGuest }: Row): boolean {
  switch (relation) {
    case 'the author':
      return true;
    case 'blocked by the author':
    case 'who has blocked the author':
      return false;
    case 'in the circle, blocked by the owner of the wall':
      return !isGuest;
    case 'in the circle':
      return true;
    case 'in another circle':
      return audience !== 'CIRCLES';
    case 'the owner of the wall':
      return isGuest || audience === 'PUBLIC';
    default:
      return audience === 'PUBLIC';
  }
}

/** Everybody follows the author, except those over a block, and those who are not in the network. */
export const hasInNews = (relation: Relation, post: Row): boolean => {
  if (!sees(relation, post) || relation === 'a visitor' || relation === 'not in the network') return false;
  return relation !== 'the owner of the wall' || post.audience === 'PUBLIC';
};

export class Scene {
  readonly people = {} as Record<Relation, Member | null>;
  readonly marked: Marked[] = [];

  private constructor(
    readonly api: SocialApi,
    /** Comments on each post, and writes about it. */
    readonly quoter: Member,
  ) {}

  static async set(api: SocialApi): Promise<Scene> {
    const scene = new Scene(api, await api.member('quoter'));
    await scene.#addPeople();
    await scene.#addPosts();
    await scene.#addStrayReferences();
    for (let at = 0; at < FILLERS; at += 1) await api.post(scene.quoter, `Another ${at}`, { audience: 'MY_CIRCLES' });
    return scene;
  }

  get author(): Member {
    return this.#one('the author');
  }

  get wallOwner(): Member {
    return this.#one('the owner of the wall');
  }

  /** Followed by the author, and blocked by nobody. */
  get friend(): Member {
    return this.#one('in the circle');
  }

  ownerOf({ isGuest }: Row): Member {
    return isGuest ? this.wallOwner : this.author;
  }

  /**
   * One post of each row, of another type at the next turn: whatever takes turns meets every type with every audience.
   * @param types of these types alone
   */
  oneOfEachRow(turn: number, types?: readonly PostType[]): Marked[] {
    return rows.flatMap((row, at) => {
      const fit = this.marked.filter(
        (post) =>
          post.audience === row.audience && post.isGuest === row.isGuest && (types?.includes(post.type) ?? true),
      );
      return fit[(turn + at) % fit.length] ?? [];
    });
  }

  #one(relation: Relation): Member {
    const person = this.people[relation];
    if (!person) throw new Error(`Nobody is ${relation}`);
    return person;
  }

  async #addPeople(): Promise<void> {
    const { api, people } = this;
    for (const relation of RELATIONS) {
      const name = relation.replaceAll(/\W+/g, '-');
      if (relation === 'a visitor') people[relation] = null;
      else if (relation === 'not in the network') people[relation] = await api.account(name);
      else people[relation] = await api.member(name, relation === 'an administrator' ? 'ADMIN' : 'MEMBER');
    }
    const { author } = this;
    const foe = this.#one('in the circle, blocked by the owner of the wall');
    await api.circle(author, 'Family', this.#one('in another circle'));
    await api.block(this.wallOwner, foe);
    await api.block(author, this.#one('blocked by the author'));
    await api.block(this.#one('who has blocked the author'), author);
    for (const relation of RELATIONS) {
      const person = people[relation];
      const isApart = relation.includes('blocked') && person !== foe;
      if (person && !isApart && person !== author && relation !== 'not in the network')
        await api.circle(person, 'Ann', author);
    }
  }

  async #addPosts(): Promise<void> {
    const { api, author, quoter } = this;
    const foe = this.#one('in the circle, blocked by the owner of the wall');
    const friends = await api.circle(author, 'Friends', this.friend, foe, quoter);
    for (const [at, row] of rows.entries())
      for (const type of typesOf(at)) this.marked.push(await this.#addPost(row, type, friends));
    // Lists show 20 posts: in the news of the author, what is about the posts would push out the posts.
    await api.removeFromCircle(author, friends, quoter);
    await api.delivered();
    await api.ask(
      'mutation ($id: ID!) { reportComment(id: $id, reason: "Look") { __typename } }',
      { id: this.marked.at(-1)?.comment.id },
      this.friend,
    );
    for (const { id } of this.marked) await this.report(id);
  }

  /** By its author, who sees it in any case. */
  async report(id: string): Promise<void> {
    const query = 'mutation ($id: ID!) { reportPost(id: $id, reason: "Look") { reported } }';
    await this.api.ask(query, { id }, this.author);
  }

  async #addPost({ audience, isGuest }: Row, type: PostType, friends: string): Promise<Marked> {
    const { api, author, quoter } = this;
    const number = this.marked.length;
    const marker = `secret-${audience}-${isGuest ? 'guest' : 'own'}-${type}`;
    const picture = type === 'PHOTO' ? await this.#upload(number) : null;
    const id = await api.post(author, marker, {
      audience,
      type,
      ...detailOf(type, marker, picture?.id),
      circleIds: audience === 'CIRCLES' ? [friends] : [],
      ...(isGuest && { onWallOf: this.wallOwner.id }),
    });
    const remark = `remark-${number}-`;
    const comment = { id: (await api.comment(quoter, id, remark)).id, marker: remark };
    const quote = await api.post(quoter, `About number ${number}`, { audience: 'PUBLIC', aboutId: id });
    const fanOut = toGlobalId('FanOut', idOfType('Post', id) ?? '');
    return { id, audience, isGuest, type, marker, picture, comment, quote, fanOut };
  }

  async #upload(seed: number) {
    const bytes = await noise({}, seed + 1)
      .jpeg()
      .toBuffer();
    const id = String((await upload(this.api.server, this.author.token, bytes)).data?.uploadPicture.id);
    return { id, stored: idOfType('Asset', id) ?? '' };
  }

  /** References that do not belong there: what was copied must grant nothing. */
  async #addStrayReferences(): Promise<void> {
    const { db } = this.api.database;
    for (const person of Object.values(this.people)) {
      if (!person) continue;
      const all = await posts(db).find({ author_id: this.author.account }).toArray();
      const references = all.map(({ _id, posted }) => ({
        reader: person.account,
        post: { id: _id, at: posted, by: this.author.account },
      }));
      await addReferences(db, references);
    }
  }
}

function detailOf(type: PostType, marker: string, imageId: string | undefined): object {
  switch (type) {
    case 'STATUS':
      return {};
    case 'PHOTO':
      return { imageId, description: marker };
    case 'LINK':
      return { url: `https://a.example/${marker}`, title: marker };
    case 'CHECK_IN':
      return { title: marker };
    case 'POLL':
      return { poll: { question: `${marker}?`, options: [marker, 'No'] } };
  }
}
