/** Gives a node another address: the last part of it, or the group that it is in. Former addresses lead to it. */
import { useId, useState } from 'react';
import { Modal } from '../../kit/controls/modal.js';
import { ModalForm } from '../../kit/controls/modal-form.js';
import { TextField } from '../../kit/controls/text-field.js';
import { textOf, useForm } from '../../kit/controls/use-form.js';
import { placesFor } from '../browse/create-node-modal.js';
import { useGroups } from '../browse/groups.js';
import { isRefused, moveNode } from '../data/commands.js';
import type { SavedNode } from '../saver/use-saver.js';

export function MoveModal({ saved, onClose }: { readonly saved: SavedNode; readonly onClose: () => void }) {
  const { node, state, take } = saved;
  const groups = useGroups();
  const [slug, setSlug] = useState(node.slug);
  const [suggestion, setSuggestion] = useState<string | null>(null);
  const select = useId();
  const places = placesFor(
    node.type,
    (groups.data ?? []).filter(({ path }) => !`${path}/`.startsWith(`${node.path}/`)),
  );
  const form = useForm(async (fields) => {
    const parentId = textOf(fields, 'parent') || null;
    const outcome = await moveNode(
      { id: node.id, nonce: state.stored.nonce },
      { slug: slug.trim(), ...(parentId !== (node.parent?.id ?? null) && { parentId }) },
    );
    if (isRefused(outcome)) {
      setSuggestion(outcome.suggestion ?? null);
      return outcome.refusal;
    }
    take(outcome);
    onClose();
    return null;
  });
  return (
    <Modal
      title="Change the address"
      description="Links to the former address lead here, until something else gets it."
      open
      onOpenChange={onClose}
    >
      <ModalForm
        form={form}
        yes="Change address"
        doing="Changing …"
        no={{ words: 'Cancel', act: onClose }}
        disabled={!groups.data}
      >
        <TextField
          label="Address"
          name="slug"
          value={slug}
          onChange={(event) => setSlug(event.target.value)}
          maxLength={100}
          required
          spellCheck={false}
          autoComplete="off"
          hint="Lower-case letters, digits and hyphens."
        />
        {suggestion && (
          <p>
            <button type="button" className="link" onClick={() => setSlug(suggestion)}>
              Use {suggestion}
            </button>
          </p>
        )}
        <div className="field">
          <label htmlFor={select}>In</label>
          <select key={places.length} className="input" id={select} name="parent" defaultValue={node.parent?.id ?? ''}>
            {places.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </div>
      </ModalForm>
    </Modal>
  );
}
