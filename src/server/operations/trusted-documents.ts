/**
 * Trusted documents: the operations of the server's own clients, known in advance. With a manifest, nothing else is executed.
 * The manifest is a JSON object of texts by their SHA-256, as written by GraphQL Code Generator and Relay.
 */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionNode,
  visit,
} from 'graphql';
import { z } from 'zod';
import { ConfigError } from '../../config/config.js';

const manifestRule = z.record(z.string(), z.string());

export type Manifest = Readonly<Record<string, string>>;

export class TrustedDocuments {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #canonical: ReadonlySet<string>;

  /** @throws Error a text is not GraphQL, or is not under its SHA-256 */
  constructor(manifest: Manifest) {
    this.#texts = new Map(Object.entries(manifest));
    for (const [id, text] of this.#texts) {
      if (id !== hash('sha256', text)) throw new Error(`${id} is not the SHA-256 of its text`);
    }
    this.#canonical = new Set([...this.#texts.values()].map((text) => canonicalText(parse(text))));
  }

  textOf(id: string): string | undefined {
    return this.#texts.get(id);
  }

  /** Ignores white space, comments, the order of definitions, and plain `__typename`, which caching clients add. */
  includes(document: DocumentNode): boolean {
    return this.#canonical.has(canonicalText(document));
  }
}

/** @returns null without a manifest @throws ConfigError it is invalid */
export async function loadTrustedDocuments(path: string | undefined): Promise<TrustedDocuments | null> {
  if (path === undefined) return null;
  try {
    return new TrustedDocuments(manifestRule.parse(JSON.parse(await readFile(path, 'utf8'))));
  } catch (error) {
    throw new ConfigError(`TRUSTED_DOCUMENTS: ${path} is not a manifest of operations: ${(error as Error).message}`);
  }
}

function canonicalText(document: DocumentNode): string {
  const bare = visit(document, {
    SelectionSet: {
      leave: (node) => {
        const others = node.selections.filter((selection) => !isPlainTypename(selection));
        return { ...node, selections: others.length > 0 ? others : node.selections.slice(0, 1) };
      },
    },
  });
  return bare.definitions.map(print).sort().join('\n');
}

function isPlainTypename(node: SelectionNode): boolean {
  return node.kind === Kind.FIELD && node.name.value === '__typename' && !node.alias && !node.directives?.length;
}

/**
 * Creates the manifest of the operations in a client's sources, each with the fragments that it uses.
 * @param sources GraphQL texts, each with any number of operations and fragments
 * @throws Error a fragment is missing, or two different definitions have the same name
 */
export function makeManifest(sources: readonly string[]): Manifest {
  const definitions = new Map<string, OperationDefinitionNode | FragmentDefinitionNode>();
  for (const definition of sources.flatMap((source): readonly DefinitionNode[] => parse(source).definitions)) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    const name = definition.name?.value;
    if (name === undefined) throw new Error(`An operation has no name: ${print(definition)}`);
    const same = definitions.get(name);
    if (same && print(same) !== print(definition)) throw new Error(`Two definitions are named ${name}`);
    definitions.set(name, definition);
  }
  const operations = [...definitions.values()].filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const texts = operations.map((operation) => print({ kind: Kind.DOCUMENT, definitions: withFragments(operation) }));
  return Object.fromEntries(texts.map((text) => [hash('sha256', text), text]));

  function withFragments(operation: DefinitionNode): DefinitionNode[] {
    const used = new Set<DefinitionNode>([operation]);
    for (const definition of used) {
      // `used` grows while it is iterated
      visit(definition, {
        FragmentSpread: ({ name }) => {
          const fragment = definitions.get(name.value);
          if (fragment?.kind !== Kind.FRAGMENT_DEFINITION) throw new Error(`There is no fragment ${name.value}`);
          used.add(fragment);
        },
      });
    }
    return [...used];
  }
}
