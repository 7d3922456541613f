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
import { addPage, type Change, FIRST, hear, type Post, type PostList, showWaiting, startList } from './post-list.js';

const FIRST_MAX = 40;

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

interface Page {
  readonly edges: readonly { readonly node: Post }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

type Variables = Record<string, unknown>;
type PageVariables = Variables & { readonly first: number; readonly after?: string | null };

interface Source<Events, Data, Own extends Variables> {
  readonly changes: TypedDocumentNode<Events, Own & { readonly after?: string | null }>;
  readonly page: TypedDocumentNode<Data, Own & PageVariables>;
  readonly variables: Own;
  readonly pageOf: (data: Data) => Page;
}

export const openNews = () =>
  openPosts({ changes: NewsChangedDocument, page: NewsDocument, variables: {}, pageOf: ({ news }) => news });

export const openIncoming = () =>
  openPosts({
    changes: IncomingChangedDocument,
    page: IncomingDocument,
    variables: {},
    pageOf: ({ incoming }) => incoming,
  });

export const openWall = (of: string) =>
  openPosts({ changes: WallChangedDocument, page: WallDocument, variables: { of }, pageOf: ({ wall }) => wall });

function openPosts<Events, Data, Own extends Variables>({
  changes,
  page,
  variables,
  pageOf,
}: Source<Events, Data, Own>): OpenPosts {
  const state = createStore<PostsState>({ list: null, isLoading: false, failure: null });
  const note = (some: Partial<PostsState>) => state.set({ ...state.get(), ...some });
  const change = (next: (list: PostList) => PostList) => {
    const { list } = state.get();
    if (list) note({ list: next(list) });
  };
  const isOwn = ({ author }: Post) => author.id === viewerStore.get()?.id;
  const put = (post: Post) => change((list) => hear(list, { posts: [post], removed: [] }, () => true));
  return {
    state,
    start: () => {
      let isFirst = true;
      return follow(changes, variables as Own & { readonly after?: string | null }, {
        event: (event: EventOf<Events>) => {
          const heard = event as unknown as Change & { readonly reset: boolean };
          if (isFirst || heard.reset) note({ list: startList(heard.posts), failure: null });
          else change((list) => hear(list, heard, isOwn));
          isFirst = false;
        },
        refused: (failure) => note({ failure }),
      });
    },
    more: async () => {
      const { list, isLoading } = state.get();
      if (!list || isLoading) return;
      note({ isLoading: true, failure: null });
      // Until the first page was read, there is no cursor: what is shown is read again, with what follows.
      const first = list.end === null ? Math.min(FIRST_MAX, list.shown.length + FIRST) : FIRST;
      const asked = { ...variables, first, after: list.end };
      const { data, error } = await uncachedClient.query<Data, Own & PageVariables>(page, asked).toPromise();
      note({ isLoading: false });
      if (!data) return note({ failure: error ? explainError(error) : 'The server did not respond.' });
      const { edges, pageInfo } = pageOf(data);
      const posts = edges.map(({ node }) => node);
      change((known) => addPage(known, posts, pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null));
    },
    showWaiting: () => change(showWaiting),
    put,
    drop: (id) => change((list) => hear(list, { posts: [], removed: [id] }, isOwn)),
  };
}
