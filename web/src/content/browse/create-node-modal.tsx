/** Creates a node: its kind, where it goes, its title and its address. */
import { useState } from 'react';
import type { NodeType } from '../../../generated/graphql.js';
import { navigate } from '../../kit/base/location.js';
import { Choice } from '../../kit/controls/choices.js';
import { Modal } from '../../kit/controls/modal.js';
import { ModalForm } from '../../kit/controls/modal-form.js';
import { TextField } from '../../kit/controls/text-field.js';
import { textOf, useForm } from '../../kit/controls/use-form.js';
import { useRole } from '../../shell/access.js';
import { createNode, isRefused } from '../data/commands.js';
import type { Group } from '../data/groups.js';
import { addressOf, canBeBelow, isWork, typesBelow, typeWords } from '../data/nodes.js';
import { ParentField, placesFor, SlugField } from '../parts/place-fields.js';

interface CreateNodeModalProps {
  readonly groups: readonly Group[];
  /** Where the user is. Null: at the top. */
  readonly parent: Group | null;
  /** What is chosen at first. Default: the first kind. */
  readonly kind?: NodeType | undefined;
  readonly onClose: () => void;
}

export function CreateNodeModal({ groups, parent, kind, onClose }: CreateNodeModalProps) {
  // At the top, everything is offered for which there is a place.
  const isEditor = useRole('EDITOR');
  const offered = parent
    ? typesBelow(parent.type)
    : (Object.keys(typeWords) as NodeType[]).filter((type) => type !== 'PHOTO' && placesFor(type, groups).length > 0);
  const types = offered.filter((type) => isEditor || isWork(type));
  const [type, setType] = useState<NodeType>(kind ?? types[0] ?? 'PAGE');
  const [slug, setSlug] = useState('');
  const [suggestion, setSuggestion] = useState<string | null>(null);
  const places = placesFor(type, groups);
  const form = useForm(async (fields) => {
    const title = textOf(fields, 'title').trim();
    const parentId = textOf(fields, 'parent');
    const outcome = await createNode({
      type,
      title,
      ...(parentId && { parentId }),
      ...(slug.trim() && { slug: slug.trim() }),
      ...(type === 'VIDEO' && { videoUrl: textOf(fields, 'videoUrl').trim() }),
    });
    if (isRefused(outcome)) {
      setSuggestion(outcome.suggestion ?? null);
      return outcome.refusal;
    }
    onClose();
    navigate(addressOf(outcome));
    return null;
  });
  if (types.length === 0)
    return (
      <Modal title="New" open onOpenChange={onClose}>
        <p>There is no blog to write for yet. An editor can create one.</p>
      </Modal>
    );
  const first = parent && canBeBelow(type, parent.type) ? parent.id : places[0]?.id;
  return (
    <Modal title="New" open onOpenChange={onClose}>
      <ModalForm form={form} yes="Create draft" doing="Creating …" no={{ words: 'Cancel', act: onClose }}>
        <Choice
          label="Kind"
          options={types.map((value) => ({
            value,
            name: typeWords[value].name,
            meaning: typeWords[value].meaning,
          }))}
          chosen={type}
          onChange={setType}
        />
        <TextField label="Title" name="title" maxLength={300} required autoComplete="off" />
        {type === 'VIDEO' && (
          <TextField
            label="Address of the video"
            name="videoUrl"
            type="url"
            required
            hint="Its page on YouTube, Vimeo or PeerTube."
          />
        )}
        <ParentField key={type} places={places} first={first ?? ''} />
        <SlugField
          slug={slug}
          onChange={setSlug}
          suggestion={suggestion}
          hint="The last part of its address. If you leave it empty, it is made from the title."
        />
      </ModalForm>
    </Modal>
  );
}
