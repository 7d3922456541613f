/** Editors who change few nodes at random, and a ledger of what they were told: what the database must hold after any crash. */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { Product } from '../../../harness/product.js';
import { makeRandom, type Random } from '../../../harness/random.js';
import { asNode, nodes } from '../../../src/models/content/nodes/node.js';
import { versions } from '../../../src/models/content/nodes/node-version.js';
import { idOfType } from '../../../src/shared/global-id.js';
import { answerOrNull } from '../scenario.js';

/** An edit that was sent. The editor sends it again until it is answered. */
interface Edit {
  readonly node: string;
  readonly nonce: string;
  /** With a line that no other edit has. */
  readonly text: string;
  readonly line: string;
  readonly key: string;
}

interface Outcome {
  readonly __typename: string;
}

type Reply = 'STORED' | 'CONFLICT' | 'BUSY' | 'DIED';

const LOAD = 'query ($node: ID!) { node(id: $node) { ... on Page { nonce text } } }';
const EDIT = `mutation ($node: ID!, $nonce: String!, $text: String!, $key: String!) {
  editNode(id: $node, nonce: $nonce, changes: { text: $text }, idempotencyKey: $key) { __typename }
}`;
const CREATE = `mutation ($slug: String!) {
  createNode(input: { type: PAGE, title: "A page", slug: $slug, text: "The first line" }) { ... on Page { id } }
}`;
const LOOK_MS = 2;

export class EditorLedger {
  readonly #nodes: readonly [string, ...string[]];
  readonly #accepted: Edit[] = [];
  readonly #refused: Edit[] = [];
  #unanswered: Edit[] = [];
  #answers = 0;

  private constructor(ids: readonly [string, ...string[]]) {
    this.#nodes = ids;
  }

  static async open(product: Product, count: number): Promise<EditorLedger> {
    const ids: string[] = [];
    for (let at = 0; at < count; at += 1) {
      const { data } = await product.request<{ createNode: { id: string } }>(CREATE, { slug: `page-${at}` });
      ids.push(data?.createNode.id ?? '');
    }
    return new EditorLedger(ids as [string, ...string[]]);
  }

  /** Lets so many editors work, each until the server dies or `leave` is called. */
  start(product: Product, seed: number, editors: number): { leave(): Promise<void> } {
    const state = { isOver: false };
    const work = Array.from({ length: editors }, async (_, name) => {
      const random = makeRandom(seed + name);
      for (;;) {
        const edit = this.#unanswered.pop() ?? (state.isOver ? null : await this.#load(product, random));
        if (!edit || !(await this.#sendUntilAnswered(product, edit))) return;
      }
    });
    return {
      leave: async () => {
        state.isOver = true;
        await Promise.all(work);
      },
    };
  }

  /** Waits until so many more edits are answered. */
  async reach(answers: number): Promise<void> {
    const end = this.#answers + answers;
    while (this.#answers < end) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }

  /** What an editor writes who has loaded a node. Null: the server died. */
  async #load(product: Product, random: Random): Promise<Edit | null> {
    const node = random.pick(this.#nodes);
    const loaded = await answerOrNull(product.request<{ node: { nonce: string; text: string } }>(LOAD, { node }));
    if (!loaded?.data) return null;
    const { nonce, text } = loaded.data.node;
    const lines = text.split('\n');
    const line = `Line ${randomUUID()}`;
    lines.splice(random.below(lines.length + 1), 0, line);
    return { node, nonce, text: lines.join('\n'), line, key: randomUUID() };
  }

  /** @returns false when the server died */
  async #sendUntilAnswered(product: Product, edit: Edit): Promise<boolean> {
    for (;;) {
      const reply = await send(product, edit);
      if (reply === 'BUSY') continue; // nothing was written: the same call again
      if (reply === 'DIED') {
        this.#unanswered.push(edit);
        return false;
      }
      this.#answers += 1;
      (reply === 'STORED' ? this.#accepted : this.#refused).push(edit);
      return true;
    }
  }

  /** Call it when all are answered. @returns how many edits were stored and refused */
  async check(db: Db): Promise<{ readonly stored: number; readonly refused: number }> {
    expect(this.#unanswered).toEqual([]);
    const texts = new Map<string, string>(); // of all versions, by the line that each has added
    for (const node of this.#nodes)
      for (const [line, text] of await addedLines(db, idOfType('ContentNode', node) ?? '')) texts.set(line, text);
    expect(texts).toEqual(new Map(this.#accepted.map(({ line, text }) => [line, text])));
    return { stored: this.#accepted.length, refused: this.#refused.length };
  }
}

async function send(product: Product, { line: _, ...variables }: Edit): Promise<Reply> {
  const reply = await answerOrNull(product.request<{ editNode: Outcome }>(EDIT, variables));
  if (reply === null) return 'DIED';
  if (reply.errors) {
    expect(reply.errors[0]?.extensions?.code).toBe('SERVER_BUSY');
    return 'BUSY';
  }
  const { __typename } = reply.data?.editNode ?? {};
  expect(__typename).toMatch(/^(Page|EditConflict)$/);
  return __typename === 'Page' ? 'STORED' : 'CONFLICT';
}

/** Each version has one line more than the one before it, and the last one is the node's text. @returns the text of each by its line */
async function addedLines(db: Db, id: string): Promise<[line: string, text: string][]> {
  const chain = await versions(db).find({ '_id.node': id }).sort({ version: 1 }).toArray();
  const node = await nodes(db).findOne({ _id: id });
  expect(chain.map(({ version }) => version)).toEqual(chain.map((_, at) => at + 1));
  const last = chain.at(-1);
  expect(node && asNode(node)).toMatchObject({
    version: chain.length,
    nonce: last?._id.nonce,
    detail: last?.detail,
  });
  return chain.slice(1).map(({ detail }, at) => {
    const text = detail.text ?? '';
    const before = new Set((chain[at]?.detail.text ?? '').split('\n'));
    const added = text.split('\n').filter((line) => !before.delete(line));
    expect([added.length, before.size]).toEqual([1, 0]); // all lines of the version before are still there
    return [added[0] ?? '', text];
  });
}
