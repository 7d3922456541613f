/**
 * Bounds on the shape of an operation, looked at before anything else touches it: nothing behind them meets a text that is too long,
 * too deep, or grows without end when its fragments are put in.
 */
import { type DocumentNode, Kind, Lexer, type SelectionSetNode, Source, TokenKind, visit } from 'graphql';
import { LimitError } from '../shared/errors.js';

/** graphql-js parses by recursion: brackets inside brackets beyond this are refused before it does. Far above any MAX_DEPTH in use. */
const NESTING_MAX = 200;
/** Directives in a document. Clients use a handful (`@include`, `@skip`). */
const DIRECTIVES_MAX = 50;
/** Selections after fragments are put in: what an executor may have to look at. */
const SELECTIONS_MAX = 10_000;

export interface ShapeLimits {
  readonly tokens: number;
  readonly depth: number;
  readonly aliases: number;
}

/**
 * Counts tokens and brackets without recursion.
 * @throws LimitError too many tokens, or too deep
 * @throws GraphQLError a character that no token begins with
 */
export function requireReadable(text: string, tokensMax: number): void {
  const lexer = new Lexer(new Source(text));
  let nesting = 0;
  for (let tokens = 0; ; tokens += 1) {
    const { kind } = lexer.advance();
    if (kind === TokenKind.EOF) return;
    if (tokens === tokensMax) throw new LimitError(`The operation has more than ${tokensMax} tokens`, tokensMax);
    if (kind === TokenKind.BRACE_L || kind === TokenKind.BRACKET_L || kind === TokenKind.PAREN_L) nesting += 1;
    if (kind === TokenKind.BRACE_R || kind === TokenKind.BRACKET_R || kind === TokenKind.PAREN_R) nesting -= 1;
    if (nesting > NESTING_MAX)
      throw new LimitError(`The operation has brackets more than ${NESTING_MAX} deep`, NESTING_MAX);
  }
}

/**
 * Works on documents that are not validated yet: a fragment that contains itself counts once and is left to the validation.
 * @throws LimitError
 */
export function requireShape(document: DocumentNode, limits: ShapeLimits): void {
  const { aliases, directives } = countMarks(document);
  if (aliases > limits.aliases)
    throw new LimitError(`The operation has ${aliases} aliases; at most ${limits.aliases} are taken`, limits.aliases);
  if (directives > DIRECTIVES_MAX)
    throw new LimitError(
      `The operation has ${directives} directives; at most ${DIRECTIVES_MAX} are taken`,
      DIRECTIVES_MAX,
    );
  const { depth, selections } = measure(document);
  if (depth > limits.depth)
    throw new LimitError(`The operation is ${depth} fields deep; at most ${limits.depth} are taken`, limits.depth);
  if (selections > SELECTIONS_MAX)
    throw new LimitError(
      `The operation has more than ${SELECTIONS_MAX} selections with its fragments put in`,
      SELECTIONS_MAX,
    );
}

function countMarks(document: DocumentNode): { aliases: number; directives: number } {
  const counts = { aliases: 0, directives: 0 };
  visit(document, {
    enter: (node) => {
      if (node.kind === Kind.DIRECTIVE) counts.directives += 1;
      if (node.kind === Kind.FIELD && node.alias && node.alias.value !== node.name.value) counts.aliases += 1;
    },
  });
  return counts;
}

interface Measure {
  readonly depth: number;
  readonly selections: number;
}

/** The deepest and the sum over all definitions. Each fragment is measured once, however often it is spread. */
function measure(document: DocumentNode): Measure {
  const fragments = new Map(
    document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
  );
  const measured = new Map<string, Measure>();

  const ofFragment = (name: string): Measure => {
    const known = measured.get(name);
    if (known) return known;
    measured.set(name, NOTHING); // while it is being measured: ends the recursion of a fragment that contains itself
    const fragment = fragments.get(name);
    const result = fragment ? ofSelections(fragment.selectionSet) : NOTHING;
    measured.set(name, result);
    return result;
  };

  const ofSelections = (set: SelectionSetNode): Measure => {
    let depth = 0;
    let selections = 0;
    for (const selection of set.selections) {
      // The introspection fields have a rule of their own in graphql-js (lists at most 3 deep), and `ofType` chains are harmless.
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
    // A fragment is as deep as where it is put in: those of the standard introspection are deep, and stand below `__schema` alone.
    depth: Math.max(0, ...operations.map((each) => each.depth)),
    selections: all.reduce((sum, each) => sum + each.selections, 0),
  };
}

const NOTHING: Measure = { depth: 0, selections: 0 };
