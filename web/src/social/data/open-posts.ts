/** A list of posts, live: follows the server, and reads older posts on request. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { explainError, uncachedClient } from '../../api/client.js';
import { viewerStore } from '../../api/session.js';
import { type EventOf, follow } from '../../api/subscription.js';
import { createStore, type Store } from '../../kit/base/store.js';
import {
  IncomingChangedDocument,
  IncomingDocument,
  NewsChangedDocument,
  NewsDocument,
  WallChangedDocument,
  WallDocument,
} from './documents.js';
import {
  addPage,
  type Change,
  FIRST,
  hear,
  type Page,
  type Post,
  type PostList,
  replaceAll,
  showWaiting,
  startAgain,
  startList,
} from './post-list.js';

/** The API's limit. */
const FIRST_MAX = 100;

export interface PostsState {
  /** Null until the first event. */
  readonly list: PostList | null;
  readonly isLoading: boolean;
  readonly failure: string | null;
}

export interface OpenPosts {
  readonly state: Store<PostsState>;
  /** @returns stops */
  start(): () => void;
  more(): Promise<void>;
  showWaiting(): void;
  /** What the viewer has just written or changed. */
  put(post: Post): void;
  drop(id: string): void;
}

interface Connection {
  readonly edges: readonly { readonly node: Post }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

type Variables = Record<string, unknown>;
type PageVariables = Variables & { readonly first: number; readonly after?: string | null };

interface Source<Events, Data, Own extends Variables> {
  readonly changes: TypedDocumentNode<Events, Own & { readonly after?: string | null }>;
  readonly page: TypedDocumentNode<Data, Own & PageVariables>;
  readonly variables: Own;
  readonly pageOf: (data: Data) => Connection;
}

/** @param onGone called when posts have disappeared: perhaps somebody has blocked somebody */
export const openNews = (onGone: () => void) =>
  openPosts({ changes: NewsChangedDocument, page: NewsDocument, variables: {}, pageOf: ({ news }) => news }, onGone);

export const openIncoming = () =>
  openPosts({
    changes: IncomingChangedDocument,
    page: IncomingDocument,
    variables: {},
    pageOf: ({ incoming }) => incoming,
  });

/** @param onGone as for the news */
export const openWall = (of: string, onGone: () => void) =>
  openPosts(
    { changes: WallChangedDocument, page: WallDocument, variables: { of }, pageOf: ({ wall }) => wall },
    onGone,
  );

function openPosts<Events, Data, Own extends Variables>(
  { changes, page, variables, pageOf }: Source<Events, Data, Own>,
  onGone: () => void = () => {},
): OpenPosts {
  const state = createStore<PostsState>({ list: null, isLoading: false, failure: null });
  const note = (some: Partial<PostsState>) => state.set({ ...state.get(), ...some });
  const change = (next: (list: PostList) => PostList) => {
    const { list } = state.get();
    if (list) note({ list: next(list) });
  };
  const isOwn = ({ author }: Post) => author.id === viewerStore.get()?.id;
  const apply = (heard: Change) => change((list) => hear(list, heard, isOwn));

  /** Heard during a read, which may be older: applied again to what was read. Null: nothing is being read. */
  let meanwhile: Change[] | null = null;
  /** After a reset, older posts are as they were before, until they were read again. */
  let isStale = false;

  const read = async (first: number, after: string | null): Promise<Page> => {
    const { data, error } = await uncachedClient
      .query<Data, Own & PageVariables>(page, { ...variables, first, after })
      .toPromise();
    if (!data) throw new Error(error ? explainError(error) : 'The server did not respond.');
    const { edges, pageInfo } = pageOf(data);
    return { posts: edges.map(({ node }) => node), end: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null };
  };
  /** As many as are shown. */
  const readAll = async () => {
    const wanted = Math.max(FIRST, state.get().list?.shown.length ?? 0);
    let { posts, end } = await read(Math.min(FIRST_MAX, wanted), null);
    while (end !== null && posts.length < wanted) {
      const next = await read(Math.min(FIRST_MAX, wanted - posts.length), end);
      ({ end } = next);
      posts = [...posts, ...next.posts];
    }
    isStale = false;
    change((list) => replaceAll(list, { posts, end }, isOwn));
  };
  const readMore = async ({ end, shown }: PostList) => {
    // Until the first page was read, there is no cursor: what is shown is read again, with what follows.
    const next = await read(end === null ? Math.min(FIRST_MAX, shown.length + FIRST) : FIRST, end);
    change((list) => addPage(list, next));
  };
  const more = async (): Promise<void> => {
    const { list } = state.get();
    if (!list) return listen(); // it was refused
    if (meanwhile) return;
    const heard: Change[] = [];
    meanwhile = heard;
    note({ isLoading: true, failure: null });
    const failure = await (isStale ? readAll() : readMore(list)).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    meanwhile = null;
    for (const each of heard) apply(each);
    note({ isLoading: false, failure });
    if (isStale && failure === null) await more(); // a reset came meanwhile
  };

  let stop = () => {};
  const listen = () => {
    stop();
    note({ failure: null });
    let isFirst = true;
    stop = follow(changes, variables as Own & { readonly after?: string | null }, {
      event: (event: EventOf<Events>) => {
        const heard = event as unknown as Change & { readonly reset: boolean };
        if (isFirst || heard.reset) {
          const { list } = state.get();
          note({ list: list ? startAgain(list, heard.posts, isOwn) : startList(heard.posts), failure: null });
          isStale = (list?.shown.length ?? 0) > FIRST;
          if (isStale) void more();
        } else {
          meanwhile?.push(heard);
          apply(heard);
        }
        if (!isFirst && (heard.reset || heard.removed.length > 0)) onGone();
        isFirst = false;
      },
      refused: (failure) => note({ failure }),
    });
  };

  return {
    state,
    start: () => {
      listen();
      return () => stop();
    },
    more,
    showWaiting: () => change(showWaiting),
    put: (post) => change((list) => hear(list, { posts: [post], removed: [] }, () => true)),
    drop: (id) => apply({ posts: [], removed: [id] }),
  };
}
