/** Where a node is: the group that it is in, and the last part of its address. */
import { type ReactNode, useId } from 'react';
import type { NodeType } from '../../../generated/graphql.js';
import { TextField } from '../../kit/controls/text-field.js';
import { canBeBelow } from '../data/nodes.js';

export interface Place {
  /** Empty for the top level. */
  readonly id: string;
  readonly name: string;
}

interface PossibleParent {
  readonly id: string;
  readonly type: NodeType;
  readonly title: string;
  readonly path: string;
}

/** Where a node of this kind may go. */
export function placesFor(type: NodeType, groups: readonly PossibleParent[]): Place[] {
  const top = canBeBelow(type, null) ? [{ id: '', name: 'The top level' }] : [];
  return [
    ...top,
    ...groups
      .filter((group) => canBeBelow(type, group.type))
      .map(({ id, title, path }) => ({ id, name: `${title} (${path})` })),
  ];
}

/** The field `parent` of a form. Give it another key when the places change. */
export function ParentField({ places, first }: { readonly places: readonly Place[]; readonly first: string }) {
  const select = useId();
  return (
    <div className="field">
      <label htmlFor={select}>In</label>
      <select className="input" id={select} name="parent" defaultValue={first}>
        {places.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

interface SlugFieldProps {
  readonly slug: string;
  readonly onChange: (slug: string) => void;
  readonly hint: string;
  readonly required?: boolean;
  /** A free one, after a refusal. */
  readonly suggestion: string | null;
}

export function SlugField({ slug, onChange, hint, required = false, suggestion }: SlugFieldProps): ReactNode {
  return (
    <>
      <TextField
        label="Address"
        name="slug"
        value={slug}
        onChange={(event) => onChange(event.target.value)}
        maxLength={100}
        required={required}
        autoComplete="off"
        spellCheck={false}
        hint={hint}
      />
      {suggestion && (
        <p>
          <button type="button" className="link" onClick={() => onChange(suggestion)}>
            Use {suggestion}
          </button>
        </p>
      )}
    </>
  );
}
