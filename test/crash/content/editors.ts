/** Editors who change, move, delete and restore few nodes at random, and a ledger of what they were told: what the database must hold after any crash. */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { Product } from '../../../harness/product.js';
import { makeRandom, type Random } from '../../../harness/random.js';
import { asNode, nodes } from '../../../src/models/content/nodes/node.js';
import { versions } from '../../../src/models/content/nodes/node-version.js';
import { idOfType } from '../../../src/shared/global-id.js';
import { answerOrNull } from '../scenario.js';

/** A write that was sent. The editor sends it again until it is answered. */
interface Write {
  readonly kind: 'edit' | 'move' | 'delete' | 'restore';
  readonly node: string;
  readonly nonce: string;
  readonly key: string;
}

interface Edit extends Write {
  readonly kind: 'edit';
  /** With a line that no other edit has. */
  readonly text: string;
  readonly line: string;
}

interface Move extends Write {
  readonly kind: 'move';
  /** One that no other move has. */
  readonly slug: string;
  readonly parent: string | null;
}

type Sent = Edit | Move | (Write & { readonly kind: 'delete' | 'restore' });

interface Outcome {
  readonly __typename: string;
}

interface Loaded {
  readonly nonce: string;
  readonly text: string;
  readonly state: string;
}

type Reply = 'STORED' | 'REFUSED' | 'BUSY' | 'DIED';

const LOAD = 'query ($node: ID!) { node(id: $node) { ... on Page { nonce text state } } }';
const WRITES: Readonly<Record<Sent['kind'], string>> = {
  edit: `mutation ($node: ID!, $nonce: String!, $text: String!, $key: String!) {
    outcome: editNode(id: $node, nonce: $nonce, changes: { text: $text }, idempotencyKey: $key) { __typename }
  }`,
  move: `mutation ($node: ID!, $nonce: String!, $slug: String!, $parent: ID, $key: String!) {
    outcome: moveNode(id: $node, nonce: $nonce, slug: $slug, parentId: $parent, idempotencyKey: $key) { __typename }
  }`,
  delete: `mutation ($node: ID!, $nonce: String!, $key: String!) {
    outcome: deleteNode(id: $node, nonce: $nonce, idempotencyKey: $key) { __typename }
  }`,
  restore: 'mutation ($node: ID!) { outcome: restoreNode(id: $node) { __typename } }',
};
const CREATE = `mutation ($slug: String!) {
  createNode(input: { type: PAGE, title: "A page", slug: $slug, text: "The first line" }) { ... on Page { id } }
}`;
const CREATE_FOLDER = `mutation ($slug: String!) {
  createNode(input: { type: FOLDER, title: "A folder", slug: $slug }) { ... on Folder { id } }
}`;
const FOLDERS = 2;
const LOOK_MS = 2;

export class EditorLedger {
  readonly #nodes: readonly [string, ...string[]];
  readonly #places: readonly [null, ...string[]];
  readonly #accepted: Sent[] = [];
  readonly #refused: Sent[] = [];
  #unanswered: Sent[] = [];
  #answers = 0;

  private constructor(ids: readonly [string, ...string[]], folders: readonly string[]) {
    this.#nodes = ids;
    this.#places = [null, ...folders];
  }

  static async open(product: Product, count: number): Promise<EditorLedger> {
    const make = async (mutation: string, slug: string): Promise<string> =>
      (await product.request<{ createNode: { id: string } }>(mutation, { slug })).data?.createNode.id ?? '';
    const [ids, folders]: [string[], string[]] = [[], []];
    for (let at = 0; at < count; at += 1) ids.push(await make(CREATE, `page-${at}`));
    for (let at = 0; at < FOLDERS; at += 1) folders.push(await make(CREATE_FOLDER, `folder-${at}`));
    return new EditorLedger(ids as [string, ...string[]], folders);
  }

  /** Lets so many editors work, each until the server dies or `leave` is called. */
  start(product: Product, seed: number, editors: number): { leave(): Promise<void> } {
    const state = { isOver: false };
    const work = Array.from({ length: editors }, async (_, name) => {
      const random = makeRandom(seed + name);
      for (;;) {
        const write = this.#unanswered.pop() ?? (state.isOver ? null : await this.#load(product, random));
        if (!write || !(await this.#sendUntilAnswered(product, write))) return;
      }
    });
    return {
      leave: async () => {
        state.isOver = true;
        await Promise.all(work);
      },
    };
  }

  /** Waits until so many more writes are answered. */
  async reach(answers: number): Promise<void> {
    const end = this.#answers + answers;
    while (this.#answers < end) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }

  /** What an editor does who has loaded a node. Null: the server died. */
  async #load(product: Product, random: Random): Promise<Sent | null> {
    const node = random.pick(this.#nodes);
    const loaded = await answerOrNull(product.request<{ node: Loaded }>(LOAD, { node }));
    if (!loaded?.data) return null;
    const { nonce, text, state } = loaded.data.node;
    const write = { node, nonce, key: randomUUID() };
    if (state === 'DELETED') return { ...write, kind: 'restore' };
    const choice = random.below(10);
    if (choice === 0) return { ...write, kind: 'delete' };
    if (choice <= 2)
      return { ...write, kind: 'move', slug: `moved-${randomUUID()}`, parent: random.pick(this.#places) };
    const lines = text.split('\n');
    const line = `Line ${randomUUID()}`;
    lines.splice(random.below(lines.length + 1), 0, line);
    return { ...write, kind: 'edit', text: lines.join('\n'), line };
  }

  /** @returns false when the server died */
  async #sendUntilAnswered(product: Product, write: Sent): Promise<boolean> {
    for (;;) {
      const reply = await send(product, write);
      if (reply === 'BUSY') continue; // nothing was written: the same call again
      if (reply === 'DIED') {
        this.#unanswered.push(write);
        return false;
      }
      this.#answers += 1;
      (reply === 'STORED' ? this.#accepted : this.#refused).push(write);
      return true;
    }
  }

  /** Call it when all are answered. @returns how many writes were stored and refused, and how many of the stored ones were moves and deletions */
  async check(db: Db): Promise<Readonly<Record<'stored' | 'moved' | 'deleted' | 'refused', number>>> {
    expect(this.#unanswered).toEqual([]);
    const found: Steps = { texts: new Map(), slugs: [], deleted: 0 };
    for (const node of this.#nodes) await collectSteps(db, idOfType('ContentNode', node) ?? '', found);
    const edits = this.#accepted.filter((write) => write.kind === 'edit');
    const moves = this.#accepted.filter((write) => write.kind === 'move');
    expect(found.texts).toEqual(new Map(edits.map(({ line, text }) => [line, text])));
    expect(found.slugs.toSorted()).toEqual(moves.map(({ slug }) => slug).toSorted());
    const deleted = this.#accepted.filter(({ kind }) => kind === 'delete').length;
    expect(found.deleted).toBe(deleted);
    return { stored: this.#accepted.length, moved: moves.length, deleted, refused: this.#refused.length };
  }
}

async function send(product: Product, { kind, ...write }: Sent): Promise<Reply> {
  const { node, nonce, key } = write;
  const own =
    'line' in write ? { text: write.text } : 'slug' in write ? { slug: write.slug, parent: write.parent } : {};
  const variables = kind === 'restore' ? { node } : { node, nonce, key, ...own };
  const reply = await answerOrNull(product.request<{ outcome: Outcome }>(WRITES[kind], variables));
  if (reply === null) return 'DIED';
  if (reply.errors) {
    expect(reply.errors[0]?.extensions?.code).toBe('SERVER_BUSY');
    return 'BUSY';
  }
  const { __typename } = reply.data?.outcome ?? {};
  expect(__typename).toMatch(/^(Page|DeletedNode|EditConflict|NodeNotFound)$/);
  return __typename === 'Page' || __typename === 'DeletedNode' ? 'STORED' : 'REFUSED';
}

/** What the versions of all nodes have changed. */
interface Steps {
  /** The text of each edit by the line that it has added. */
  readonly texts: Map<string, string>;
  /** Of moves. */
  readonly slugs: string[];
  deleted: number;
}

/** Each version adds one line, or moves, deletes or restores the node; the last one is what the node holds. */
async function collectSteps(db: Db, id: string, found: Steps): Promise<void> {
  const chain = await versions(db).find({ '_id.node': id }).sort({ version: 1 }).toArray();
  const node = await nodes(db).findOne({ _id: id });
  expect(chain.map(({ version }) => version)).toEqual(chain.map((_, at) => at + 1));
  const last = chain.at(-1);
  expect(node && asNode(node)).toMatchObject({
    version: chain.length,
    nonce: last?._id.nonce,
    slug: last?.slug,
    parent_id: last?.parent_id,
    detail: last?.detail,
  });
  let slugBeforeTrash = '';
  for (const [at, { slug, parent_id, detail }] of chain.entries()) {
    const before = chain[at - 1];
    if (!before) continue;
    const [text, textBefore] = [detail.text ?? '', before.detail.text ?? ''];
    if (text !== textBefore) {
      const left = new Set(textBefore.split('\n'));
      const added = text.split('\n').filter((line) => !left.delete(line));
      expect([added.length, left.size]).toEqual([1, 0]); // all lines of the version before are still there
      expect([slug, parent_id]).toEqual([before.slug, before.parent_id]);
      found.texts.set(added[0] ?? '', text);
    } else if (slug.startsWith('~')) {
      slugBeforeTrash = before.slug;
      found.deleted += 1;
    } else if (before.slug.startsWith('~')) {
      expect([slug, parent_id]).toEqual([slugBeforeTrash, before.parent_id]);
    } else {
      found.slugs.push(slug);
    }
  }
}
