/** A small world for tests, through the API: people with tokens and their characters. */
import type { Client } from 'graphql-ws';
import type { Role } from '../../src/models/people/user.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import type { TestDatabase } from '../support/database.js';
import { addSignedIn } from '../support/people.js';
import type { Answer, TestServer } from '../support/server.js';

export interface Gamer {
  readonly token: string;
  /** The stored id of the account. */
  readonly account: string;
  /** The global id of the character. */
  readonly character: string;
  readonly name: string;
}

export const itemId = (key: string): string => toGlobalId('Item', key);
export const locationId = (key: string): string => toGlobalId('Location', key);

/** What a test reads of a screen. */
export const SCREEN = `id name gold weight location { id name players { id name isOnline } items { id name insideId } }
  inventory { id name slot insideId } armor { slot item { label } } weapons { slot item { label } } happenings { number kind text who { name isOnline } }`;

export interface Screen {
  readonly __typename?: string;
  readonly id: string;
  readonly name: string;
  readonly gold: number;
  readonly weight: number;
  readonly location: {
    readonly id: string;
    readonly name: string;
    readonly players: readonly { readonly id: string; readonly name: string; readonly isOnline: boolean }[];
    readonly items: readonly { readonly id: string; readonly name: string; readonly insideId: string | null }[];
  };
  readonly inventory: readonly { readonly id: string; readonly name: string; readonly slot: string | null }[];
  readonly armor: readonly { readonly slot: string; readonly item: { readonly label: string } }[];
  readonly weapons: readonly { readonly slot: string; readonly item: { readonly label: string } }[];
  readonly happenings: readonly {
    readonly number: number;
    readonly kind: string;
    readonly text: string;
    readonly who: { readonly name: string; readonly isOnline: boolean } | null;
  }[];
}

export interface RoomEvent {
  readonly cursor: string;
  readonly reset: boolean;
  readonly character: Screen;
}

export const FOLLOW = `subscription($id: ID!, $after: String) { roomChanged(characterId: $id, after: $after) { cursor reset character { ${SCREEN} } } }`;

export class GameApi {
  constructor(
    readonly database: TestDatabase,
    readonly server: TestServer,
  ) {}

  async account(name: string, role: Role = 'MEMBER'): Promise<Gamer> {
    const { token, reference } = await addSignedIn(this.database.db, this.server.services.config, name, role);
    return { token, account: reference._id ?? '', character: '', name };
  }

  /** Somebody with a character of the same name. */
  async gamer(name: string): Promise<Gamer> {
    const account = await this.account(name);
    const made = await this.ask<{ createCharacter: { id: string } }>(
      'mutation($name: String!) { createCharacter(input: { name: $name, class: WARRIOR }) { ... on Character { id } ... on Refusal { message } } }',
      { name },
      account,
    );
    return { ...account, character: made.createCharacter.id };
  }

  /** @param gamer null for the administrator @throws Error the answer has errors */
  async ask<Data>(
    query: string,
    variables: Readonly<Record<string, unknown>> = {},
    gamer: Pick<Gamer, 'token'> | null = null,
  ): Promise<Data> {
    const answer = await this.send<Data>(query, variables, gamer);
    if (answer.errors || !answer.data) throw new Error(JSON.stringify(answer.errors));
    return answer.data;
  }

  send<Data>(
    query: string,
    variables: Readonly<Record<string, unknown>> = {},
    gamer: Pick<Gamer, 'token'> | null = null,
  ): Promise<Answer<Data>> {
    return this.server.request<Data>(query, variables, gamer === null ? undefined : gamer.token);
  }

  /** A mutation of a character with the arguments as they are written. @returns its result */
  async act(gamer: Gamer, mutation: string, text = ''): Promise<Screen & { readonly message?: string }> {
    const query = `mutation($id: ID!) { act: ${mutation}(characterId: $id${text && `, ${text}`}) { __typename ... on Character { ${SCREEN} } ... on Refusal { message } } }`;
    return (await this.ask<{ act: Screen & { message?: string } }>(query, { id: gamer.character }, gamer)).act;
  }

  type(gamer: Gamer, command: string): Promise<Screen & { readonly message?: string }> {
    return this.act(gamer, 'sendCommand', `text: ${JSON.stringify(command)}`);
  }

  connect(gamer: Pick<Gamer, 'token'>): Client {
    return this.server.connect(gamer.token);
  }
}
