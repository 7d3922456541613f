/** Gives a node another address: the last part of it, or the group that it is in. Former addresses lead to it. */
import { useState } from 'react';
import { Modal } from '../../kit/controls/modal.js';
import { ModalForm } from '../../kit/controls/modal-form.js';
import { textOf, useForm } from '../../kit/controls/use-form.js';
import { isRefused, moveNode } from '../data/commands.js';
import { useGroups } from '../data/groups.js';
import { ParentField, placesFor, SlugField } from '../parts/place-fields.js';
import type { SavedNode } from '../saver/use-saver.js';

export function MoveModal({ saved, onClose }: { readonly saved: SavedNode; readonly onClose: () => void }) {
  const { node, state, take } = saved;
  const groups = useGroups();
  const [slug, setSlug] = useState(node.slug);
  const [suggestion, setSuggestion] = useState<string | null>(null);
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
        <SlugField
          slug={slug}
          onChange={setSlug}
          suggestion={suggestion}
          required
          hint="Lower-case letters, digits and hyphens."
        />
        <ParentField key={places.length} places={places} first={node.parent?.id ?? ''} />
      </ModalForm>
    </Modal>
  );
}
