/** How somebody asks for a post, by whatever way. */
import type { PostType } from '../../../src/models/social/posts/post.js';
import type { Member, SocialApi } from '../social-api.js';
import { type Marked, type Relation, sees } from './scene.js';

export type Decide = (relation: Relation, post: Marked) => boolean;

export interface Way {
  /** @returns the answer as text */
  readonly ask: (by: Member | null, post: Marked, relation: Relation) => Promise<string>;
  /** Default: whoever sees the post. */
  readonly reaches?: Decide;
  /** In the answer. Default: the post's marker. */
  readonly sign?: (post: Marked) => string;
  /** Where it leads. Default: to all. */
  readonly types?: readonly PostType[];
  /** Leads to something else that its owner and editors have, and keep for a while when the post is deleted. */
  readonly isBeside?: true;
}

/** Each begins with the name of a field of a root type. */
export type Ways = Readonly<Record<string, Way>>;

export const SHOWN = `text title detail {
  ... on PollDetail { question options { text } } ... on PhotoDetail { description image { id url } }
  ... on LinkDetail { url title } ... on CheckInDetail { name }
}`;
export const POST = `... on Post { ${SHOWN} latestComments { text } discussion(first: 5) { edges { node { text } } } }`;
export const CURSORS = 'pageInfo { hasNextPage endCursor }';
export const LIST = `edges { cursor node { ${SHOWN} } } ${CURSORS}`;
export const COMMENT = `... on Comment {
  text on { ... on Post { ${SHOWN} } } replies(first: 2) { edges { node { text } } }
}`;

export const nobody: Decide = () => false;
export const isAuthor: Decide = (relation) => relation === 'the author';
/** The administrator of this test is one for all that editors do. */
export const isEditor: Decide = (relation) => relation === 'an administrator';
export const isAuthorOrAdmin: Decide = (relation, post) => isAuthor(relation, post) || isEditor(relation, post);
export const isMember: Decide = (relation) => relation !== 'a visitor';
export const takesPart: Decide = (relation, post) =>
  sees(relation, post) && isMember(relation, post) && relation !== 'not in the network';
export const ofComment = ({ comment }: Marked): string => comment.marker;

/** Sends each question of each reader once. */
export class Asker {
  readonly #seen = new Map<string, Promise<string>>();

  constructor(private readonly api: SocialApi) {}

  /** The answer as text. */
  ask(by: Member | null, query: string, variables: object = {}): Promise<string> {
    return this.#once(by, query, variables, async () =>
      JSON.stringify(await this.api.send(query, { ...variables }, by)),
    );
  }

  /** The first event of a subscription as text. */
  follow(by: Member | null, query: string, variables: object = {}): Promise<string> {
    return this.#once(by, query, variables, async () => {
      const follower = this.api.follow(by, query, { ...variables });
      const first = await follower.answer().catch((error: unknown) => error);
      await follower.close();
      return JSON.stringify(first);
    });
  }

  forget(): void {
    this.#seen.clear();
  }

  #once(by: Member | null, query: string, variables: object, read: () => Promise<string>): Promise<string> {
    const key = JSON.stringify([by?.id, query, variables]);
    const found = this.#seen.get(key) ?? read();
    this.#seen.set(key, found);
    return found;
  }
}
