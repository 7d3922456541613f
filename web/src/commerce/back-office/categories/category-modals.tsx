/** The dialogs to add, rename and remove a category. */
import { useState } from 'react';
import { useData } from '../../../api/use-data.js';
import { Modal } from '../../../kit/controls/modal.js';
import { ModalForm } from '../../../kit/controls/modal-form.js';
import { TextField } from '../../../kit/controls/text-field.js';
import { textOf, useForm } from '../../../kit/controls/use-form.js';
import {
  addCategory,
  type CategoryDetail,
  type CategoryNode,
  CategoryRootsDocument,
  ofCategories,
  removeCategory,
  renameCategory,
  slugOf,
} from '../data/categories.js';

const SLUG_HINT = 'Used in URLs: lowercase letters, digits and single hyphens between them.';
const SLUG_PATTERN = '[a-z0-9]+(-[a-z0-9]+)*';
const nothing = {};

interface AddCategoryModalProps {
  /** Null: it becomes a root. */
  readonly under: CategoryNode | null;
  readonly onAdded: (category: CategoryNode) => void;
  readonly onClose: () => void;
}

export function AddCategoryModal({ under, onAdded, onClose }: AddCategoryModalProps) {
  const [name, setName] = useState('');
  const [slug, setSlug] = useState<string | null>(null);
  const form = useForm(async (fields) => {
    const added = await addCategory({ name, slug: textOf(fields, 'slug'), under: under?.slug ?? null });
    if (typeof added === 'string') return added;
    onAdded(added);
    return null;
  });
  return (
    <Modal title={under ? `Add a category to ${under.name}` : 'Add a category'} open onOpenChange={onClose}>
      <ModalForm form={form} yes="Add category" doing="Adding…">
        <TextField
          label="Name"
          name="name"
          maxLength={200}
          required
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label="Slug"
          name="slug"
          hint={SLUG_HINT}
          pattern={SLUG_PATTERN}
          maxLength={100}
          required
          value={slug ?? slugOf(name)}
          onChange={(event) => setSlug(event.target.value)}
        />
      </ModalForm>
    </Modal>
  );
}

interface RenameCategoryModalProps {
  readonly category: CategoryNode;
  readonly onRenamed: (category: CategoryNode) => void;
  readonly onClose: () => void;
}

export function RenameCategoryModal({ category, onRenamed, onClose }: RenameCategoryModalProps) {
  const form = useForm(async (fields) => {
    const renamed = await renameCategory(category.slug, textOf(fields, 'name'), textOf(fields, 'slug'));
    if (typeof renamed === 'string') return renamed;
    onRenamed(renamed);
    return null;
  });
  return (
    <Modal title={`Rename ${category.name}`} open onOpenChange={onClose}>
      <ModalForm form={form} yes="Rename" doing="Renaming…">
        <TextField label="Name" name="name" maxLength={200} required defaultValue={category.name} />
        <TextField
          label="Slug"
          name="slug"
          hint={`${SLUG_HINT} Links with the old slug will break.`}
          pattern={SLUG_PATTERN}
          maxLength={100}
          required
          defaultValue={category.slug}
        />
      </ModalForm>
    </Modal>
  );
}

interface RemoveCategoryModalProps {
  readonly category: CategoryDetail;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

export function RemoveCategoryModal({ category, onRemoved, onClose }: RemoveCategoryModalProps) {
  const { slug, name, childCount, productCount, ancestors } = category;
  const isEmpty = childCount === 0 && productCount === 0;
  const roots = useData(CategoryRootsDocument, nothing, ofCategories).data?.categories ?? [];
  const above = new Set(ancestors.map((each) => each.slug));
  const places = [...ancestors, ...roots.filter((root) => root.slug !== slug && !above.has(root.slug))];
  const form = useForm(async (fields) => {
    const refused = await removeCategory(slug, isEmpty ? null : textOf(fields, 'to'));
    if (refused === null) onRemoved();
    return refused;
  });
  return (
    <Modal
      title={`Remove ${name}?`}
      description={
        isEmpty
          ? 'The category is empty. This cannot be undone.'
          : 'Its products and subcategories move to another category. This cannot be undone.'
      }
      open
      onOpenChange={onClose}
    >
      <ModalForm
        form={form}
        yes="Remove category"
        doing="Removing…"
        danger
        disabled={!isEmpty && places.length === 0}
        no={{ words: 'Cancel', act: onClose }}
      >
        {!isEmpty && (
          <div className="field">
            <label htmlFor="remove-to">Move its contents to</label>
            <select className="input" id="remove-to" name="to" required defaultValue="">
              <option value="" disabled>
                Choose a category
              </option>
              {places.map((place) => (
                <option key={place.slug} value={place.slug}>
                  {place.name}
                </option>
              ))}
            </select>
            {places.length === 0 && <span className="note">There is no other category. Add one first.</span>}
          </div>
        )}
      </ModalForm>
    </Modal>
  );
}
