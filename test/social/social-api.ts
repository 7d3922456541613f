/** A small network for tests, through the API: people with tokens, and what they do. */
import type { Client } from 'graphql-ws';
import { waitFor } from '../../harness/wait-for.js';
import type { Role } from '../../src/models/people/user.js';
import { isQueueEmpty } from '../../src/models/social/news/courier.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import type { TestDatabase } from '../support/database.js';
import { addSignedIn } from '../support/people.js';
import type { Answer, TestServer } from '../support/server.js';

export interface Member {
  readonly token: string;
  /** The global id. */
  readonly id: string;
  /** The stored id. */
  readonly account: string;
  readonly name: string;
}

/** A visitor's token. */
export const VISITOR = '';

type Variables = Readonly<Record<string, unknown>>;
type Asking = Pick<Member, 'token'> | null;

/** What a mutation returned. */
export interface Outcome {
  readonly __typename: string;
  readonly id: string;
}

export interface Edges<T> {
  readonly edges: readonly { readonly cursor: string; readonly node: T }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const WAIT_MS = 10_000;

export class SocialApi {
  #names = 0;

  constructor(
    readonly database: TestDatabase,
    readonly server: TestServer,
  ) {}

  /** Somebody who has signed in, and has not joined the network. */
  async account(name: string, role: Role = 'MEMBER'): Promise<Member> {
    const { db } = this.database;
    this.#names += 1;
    const { token, reference } = await addSignedIn(db, this.server.services.config, name, role);
    return { token, id: toGlobalId('User', reference._id), account: reference._id, name };
  }

  async member(name: string, role: Role = 'MEMBER'): Promise<Member> {
    const member = await this.account(name, role);
    await this.ask('mutation { saveProfile(input: {}) { id } }', {}, member);
    return member;
  }

  /** For a test of its own: all with the same prefix. */
  async members<const Name extends string>(...names: readonly Name[]): Promise<Record<Name, Member>> {
    const found = {} as Record<Name, Member>;
    for (const name of names) found[name] = await this.member(`${name}${this.#names}`);
    return found;
  }

  send<T>(query: string, variables: Variables, by: Asking): Promise<Answer<T>> {
    return this.server.request<T>(query, variables, by?.token ?? VISITOR);
  }

  async ask<T = Record<string, unknown>>(query: string, variables: Variables, by: Asking): Promise<T> {
    const { data, errors } = await this.send<T>(query, variables, by);
    if (errors) throw new Error(JSON.stringify(errors));
    return data as T;
  }

  /** The extensions of the error. */
  async failure(query: string, variables: Variables, by: Asking) {
    return (await this.send(query, variables, by)).errors?.[0]?.extensions;
  }

  async circle(owner: Member, name = 'Friends', ...people: readonly Member[]): Promise<string> {
    const { createCircle } = await this.ask<{ createCircle: Outcome & { circle?: { id: string } } }>(
      `mutation ($name: String!) { createCircle(name: $name) {
        __typename ... on Circle { id } ... on CircleNameTaken { circle { id } }
      } }`,
      { name },
      owner,
    );
    const id = createCircle.circle?.id ?? createCircle.id;
    for (const person of people) await this.addToCircle(owner, id, person);
    return id;
  }

  async addToCircle(owner: Member, circleId: string, person: Member): Promise<string> {
    return this.#typeOf('addToCircle', owner, { circleId, userId: person.id });
  }

  async removeFromCircle(owner: Member, circleId: string, person: Member): Promise<string> {
    return this.#typeOf('removeFromCircle', owner, { circleId, userId: person.id });
  }

  async #typeOf(field: 'addToCircle' | 'removeFromCircle', owner: Member, variables: Variables): Promise<string> {
    const query = `mutation ($circleId: ID!, $userId: ID!) {
      answer: ${field}(circleId: $circleId, userId: $userId) { __typename }
    }`;
    return (await this.ask<{ answer: Outcome }>(query, variables, owner)).answer.__typename;
  }

  async block(owner: Member, person: Member): Promise<string> {
    const query = 'mutation ($userId: ID!) { blockPerson(userId: $userId) { __typename } }';
    return (await this.ask<{ blockPerson: Outcome }>(query, { userId: person.id }, owner)).blockPerson.__typename;
  }

  async unblock(owner: Member, person: Member): Promise<void> {
    await this.ask(
      'mutation ($userId: ID!) { unblockPerson(userId: $userId) { __typename } }',
      { userId: person.id },
      owner,
    );
  }

  async publish(by: Member, input: Variables, idempotencyKey?: string): Promise<Outcome> {
    const query = `mutation ($input: PostInput!, $idempotencyKey: String) {
      publishPost(input: $input, idempotencyKey: $idempotencyKey) { __typename ... on Post { id } }
    }`;
    return (await this.ask<{ publishPost: Outcome }>(query, { input, idempotencyKey }, by)).publishPost;
  }

  /** @returns its id */
  async post(by: Member, text: string, input: Variables = { audience: 'PUBLIC' }): Promise<string> {
    const { __typename, id } = await this.publish(by, { text, ...input });
    if (__typename !== 'Post') throw new Error(`The post was refused: ${__typename}`);
    return id;
  }

  async comment(by: Asking, nodeId: string, text: string): Promise<Outcome> {
    const query = `mutation ($nodeId: ID!, $text: String!) {
      postComment(nodeId: $nodeId, text: $text) { __typename ... on Comment { id } }
    }`;
    return (await this.ask<{ postComment: Outcome }>(query, { nodeId, text }, by)).postComment;
  }

  async remove(by: Member, id: string): Promise<string> {
    const query = 'mutation ($id: ID!) { deletePost(id: $id) { __typename } }';
    return (await this.ask<{ deletePost: Outcome }>(query, { id }, by)).deletePost.__typename;
  }

  /** The texts of a page of `news`, `incoming` or `wall(userId: …)`. */
  async texts(list: string, by: Asking, first = 20): Promise<string[]> {
    return (await this.page(list, by, first)).edges.map(({ node }) => node.text);
  }

  async page(list: string, by: Asking, first = 20, after: string | null = null) {
    const [name, own] = list.split('(');
    const query = `query ($first: Int!, $after: String) {
      list: ${name}(first: $first, after: $after${own ? `, ${own}` : ')'} {
        edges { cursor node { id text } } pageInfo { hasNextPage endCursor }
      }
    }`;
    return (await this.ask<{ list: Edges<{ id: string; text: string }> }>(query, { first, after }, by)).list;
  }

  /** Returns when all news are delivered. */
  async delivered(): Promise<void> {
    await waitFor('the deliveries', WAIT_MS, async () => {
      await this.server.services.courier.run();
      return (await isQueueEmpty(this.database.db)) ? true : null;
    });
  }

  follow<T>(by: Asking, query: string, variables: Record<string, unknown> = {}): Follower<T> {
    return new Follower<T>(this.server.connect(by?.token ?? VISITOR), query, variables);
  }
}

/** Follows a subscription of one field. */
export class Follower<T> {
  readonly #events: ReturnType<Client['iterate']>;

  constructor(socket: Client, query: string, variables: Record<string, unknown>) {
    this.#events = socket.iterate({ query, variables });
  }

  /** @returns the next event; fails after a while */
  async next(): Promise<T> {
    const answer = await this.answer();
    if (answer?.errors) throw new Error(JSON.stringify(answer.errors));
    if (!answer?.data) throw new Error('The subscription has ended');
    return Object.values(answer.data)[0] as T;
  }

  /** @returns the next event that fits; those before it are read */
  async until(fits: (event: T) => boolean): Promise<T> {
    for (;;) {
      const event = await this.next();
      if (fits(event)) return event;
    }
  }

  /** @returns the code of the error with which the subscription ends */
  async end(): Promise<unknown> {
    for (;;) {
      const answer = await this.answer().catch((error: unknown) => ({ errors: error as object[], data: null }));
      if (answer === null) return null;
      const [error] = (answer.errors ?? []) as { extensions?: { code?: string } }[];
      if (error) return error.extensions?.code;
    }
  }

  async answer() {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('No event has arrived')), WAIT_MS);
    });
    try {
      const { value, done } = await Promise.race([this.#events.next(), late]);
      return done ? null : value;
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    await this.#events.return?.();
  }
}
