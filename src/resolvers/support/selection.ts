/** Which fields an operation asks for, so that a model reads no more from the database than the answer shows. */
import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

type Fragments = GraphQLResolveInfo['fragments'];

/** Documents are kept from one operation to the next, and so are their nodes. */
const known = new WeakMap<FieldNode, ReadonlySet<string>>();

/**
 * The fields below the one that is being resolved, of whatever type it returns, with dots between them: for example `location` and
 * `location.players`. Also those that `@skip` and `@include` leave out.
 */
export function selectedPaths({ fieldNodes, fragments }: GraphQLResolveInfo): ReadonlySet<string> {
  const [only] = fieldNodes;
  const before = only && fieldNodes.length === 1 ? known.get(only) : undefined;
  if (before) return before;
  const paths = new Set<string>();
  for (const { selectionSet } of fieldNodes) collect(selectionSet, '', fragments, paths);
  if (only && fieldNodes.length === 1) known.set(only, paths);
  return paths;
}

function collect(selections: SelectionSetNode | undefined, above: string, fragments: Fragments, paths: Set<string>) {
  for (const selection of selections?.selections ?? [])
    if (selection.kind === Kind.FIELD) {
      const path = above + selection.name.value;
      paths.add(path);
      collect(selection.selectionSet, `${path}.`, fragments, paths);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet, above, fragments, paths);
    else collect(fragments[selection.name.value]?.selectionSet, above, fragments, paths);
}
