/**
 * Bounds on the shape of an operation, checked before anything else processes it: later stages never see a text that is too long,
 * too deep, or that grows without bound when its fragments are expanded.
 */
import { type DocumentNode, Kind, Lexer, type SelectionSetNode, Source, TokenKind, visit } from 'graphql';
import { LimitError } from '../../shared/errors.js';

/** graphql-js parses recursively: deeper nesting of brackets is rejected before it parses. Far above any MAX_DEPTH in use. */
const NESTING_MAX = 200;
/** Directives in a document. Clients use a handful (`@include`, `@skip`). */
const DIRECTIVES_MAX = 50;
/** Selections in one set of braces. The largest type of the schema, `Query`, has a quarter of that. */
const BREADTH_MAX = 200;
/**
 * Uses of one field with selections, by response name. Validation compares equal fields pairwise: 500 of them take a tenth of a
 * second of CPU time, 50 take a millisecond. Fragments are compared pairwise as well.
 */
const REPEATS_MAX = 50;
const FRAGMENTS_MAX = 50;
/** Selections after fragments are expanded: what an executor may have to visit. */
const SELECTIONS_MAX = 10_000;

export interface ShapeLimits {
  readonly tokens: number;
  readonly depth: number;
  readonly aliases: number;
}

/**
 * Counts tokens and brackets without recursion.
 * @returns how many tokens there are
 * @throws LimitError too many tokens, or too deep
 * @throws GraphQLError a character that starts no token
 */
export function requireReadable(text: string, tokensMax: number): number {
  const lexer = new Lexer(new Source(text));
  let nesting = 0;
  for (let tokens = 0; ; tokens += 1) {
    const { kind } = lexer.advance();
    if (kind === TokenKind.EOF) return tokens;
    if (tokens === tokensMax) throw new LimitError(`The operation has more than ${tokensMax} tokens`, tokensMax);
    if (kind === TokenKind.BRACE_L || kind === TokenKind.BRACKET_L || kind === TokenKind.PAREN_L) nesting += 1;
    if (kind === TokenKind.BRACE_R || kind === TokenKind.BRACKET_R || kind === TokenKind.PAREN_R) nesting -= 1;
    if (nesting > NESTING_MAX)
      throw new LimitError(`The operation has brackets more than ${NESTING_MAX} deep`, NESTING_MAX);
  }
}

/**
 * Works on documents that are not validated yet: a recursive fragment counts once and is left to the validation.
 * @throws LimitError
 */
export function requireShape(document: DocumentNode, limits: ShapeLimits): void {
  const { aliases, directives, breadth, repeats, fragments } = countMarks(document);
  requireAtMost(limits.aliases, aliases, 'aliases');
  requireAtMost(DIRECTIVES_MAX, directives, 'directives');
  requireAtMost(BREADTH_MAX, breadth, 'selections side by side');
  requireAtMost(REPEATS_MAX, repeats, 'uses of one field with selections');
  requireAtMost(FRAGMENTS_MAX, fragments, 'fragments');
  const { depth, selections } = measure(document);
  if (depth > limits.depth)
    throw new LimitError(`The operation is ${depth} fields deep; at most ${limits.depth} are allowed`, limits.depth);
  if (selections > SELECTIONS_MAX)
    throw new LimitError(
      `The operation has more than ${SELECTIONS_MAX} selections with its fragments expanded`,
      SELECTIONS_MAX,
    );
}

function requireAtMost(limit: number, found: number, what: string): void {
  if (found > limit) throw new LimitError(`The operation has ${found} ${what}; at most ${limit} are allowed`, limit);
}

interface Marks {
  readonly aliases: number;
  readonly directives: number;
  /** Size of the widest selection set. */
  readonly breadth: number;
  /** Uses of the field that is used most often. */
  readonly repeats: number;
  readonly fragments: number;
}

function countMarks(document: DocumentNode): Marks {
  const counts = { aliases: 0, directives: 0, breadth: 0, fragments: 0 };
  const uses = new Map<string, number>();
  visit(document, {
    enter: (node) => {
      if (node.kind === Kind.DIRECTIVE) counts.directives += 1;
      if (node.kind === Kind.FRAGMENT_DEFINITION) counts.fragments += 1;
      if (node.kind === Kind.SELECTION_SET) counts.breadth = Math.max(counts.breadth, node.selections.length);
      if (node.kind !== Kind.FIELD) return;
      const { value } = node.alias ?? node.name;
      if (value !== node.name.value) counts.aliases += 1;
      if (node.selectionSet) uses.set(value, (uses.get(value) ?? 0) + 1);
    },
  });
  return { ...counts, repeats: Math.max(0, ...uses.values()) };
}

interface Measure {
  readonly depth: number;
  readonly selections: number;
}

/** The maximum depth, and the selections of all definitions. Each fragment is measured once, however often it is spread. */
function measure(document: DocumentNode): Measure {
  const fragments = new Map(
    document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
  );
  const measured = new Map<string, Measure>();

  const ofFragment = (name: string): Measure => {
    const known = measured.get(name);
    if (known) return known;
    measured.set(name, NOTHING); // while it is being measured: ends the recursion of a recursive fragment
    const fragment = fragments.get(name);
    const result = fragment ? ofSelections(fragment.selectionSet) : NOTHING;
    measured.set(name, result);
    return result;
  };

  const ofSelections = (set: SelectionSetNode): Measure => {
    let depth = 0;
    let selections = 0;
    for (const selection of set.selections) {
      // The introspection fields have their own rule in graphql-js (lists at most 3 deep), and `ofType` chains are harmless.
      if (selection.kind === Kind.FIELD && selection.name.value.startsWith('__')) continue;
      const inner =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? ofFragment(selection.name.value)
          : selection.selectionSet
            ? ofSelections(selection.selectionSet)
            : NOTHING;
      depth = Math.max(depth, inner.depth + (selection.kind === Kind.FIELD ? 1 : 0));
      selections += 1 + inner.selections;
    }
    return { depth, selections };
  };

  const operations = document.definitions.flatMap((node) =>
    node.kind === Kind.OPERATION_DEFINITION ? [ofSelections(node.selectionSet)] : [],
  );
  const all = [...operations, ...[...fragments.keys()].map(ofFragment)];
  return {
    // Fragments count only where they are spread: those of the standard introspection are deep, and are used only below `__schema`.
    depth: Math.max(0, ...operations.map((each) => each.depth)),
    selections: all.reduce((sum, each) => sum + each.selections, 0),
  };
}

const NOTHING: Measure = { depth: 0, selections: 0 };
