/** Creates or changes an item of the world. */
import { useState } from 'react';
import type { ItemKind, Slot } from '../../../../generated/graphql.js';
import { Modal } from '../../../kit/controls/modal.js';
import { ModalForm } from '../../../kit/controls/modal-form.js';
import { TextField } from '../../../kit/controls/text-field.js';
import { textOf, useForm } from '../../../kit/controls/use-form.js';
import { inHands, slotWords } from '../../screen/choices.js';
import { placeKeyOf, saveItem, type WorldItem } from '../data/items.js';
import { keyFor } from '../data/world.js';
import styles from './forms.module.css';
import { RoomKeyField } from './room-key-field.js';

interface ItemModalProps {
  /** Null: a new one. */
  readonly item: WorldItem | null;
  /** Where a new one is put. */
  readonly place?: string;
  readonly onClose: () => void;
}

const kinds: readonly (readonly [ItemKind, string])[] = [
  ['THING', 'Thing'],
  ['CONTAINER', 'Container'],
  ['ARMOR', 'Armor'],
  ['WEAPON', 'Weapon'],
];
const slots = Object.keys(slotWords) as readonly Slot[];

const slotsFor = (kind: ItemKind): readonly Slot[] => {
  if (kind === 'WEAPON') return inHands;
  return kind === 'ARMOR' ? slots.filter((slot) => !inHands.includes(slot)) : [];
};

export function ItemModal({ item, place = '', onClose }: ItemModalProps) {
  const [kind, setKind] = useState<ItemKind>(item?.kind ?? 'THING');
  const form = useForm(async (fields) => {
    const name = textOf(fields, 'name').trim();
    const price = textOf(fields, 'price').trim();
    const refused = await saveItem({
      key: item?.key ?? (textOf(fields, 'key').trim() || `${keyFor(name, [])}-${randomEnd()}`),
      name,
      description: textOf(fields, 'description'),
      kind,
      bonus: numberOf(fields, 'bonus'),
      quantity: numberOf(fields, 'quantity'),
      weight: numberOf(fields, 'weight'),
      price: price === '' ? null : Number(price),
      isFixed: fields.get('isFixed') !== null,
      slots: fields.getAll('slots').map(String) as Slot[],
      place: item ? placeKeyOf(item) : textOf(fields, 'place').trim(),
      isNew: item === null,
    });
    if (refused === null) onClose();
    return refused;
  });
  return (
    <Modal title={item ? item.label : 'A new item'} open onOpenChange={onClose}>
      <ModalForm form={form} yes={item ? 'Save item' : 'Create item'} doing="Saving…">
        <TextField label="Name" name="name" maxLength={100} defaultValue={item?.name} autoComplete="off" required />
        <div className="field">
          <label htmlFor="item-description">What one sees by looking closer</label>
          <textarea
            className="input"
            id="item-description"
            name="description"
            rows={3}
            maxLength={2000}
            defaultValue={item?.description}
          />
        </div>
        <div className="field">
          <label htmlFor="item-kind">Kind</label>
          <select
            className="input"
            id="item-kind"
            value={kind}
            onChange={({ target }) => setKind(target.value as ItemKind)}
          >
            {kinds.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </div>
        {slotsFor(kind).length > 0 && (
          <fieldset className={styles.checks} key={kind}>
            <legend className="label">{kind === 'WEAPON' ? 'Wielded in' : 'Worn on'}</legend>
            {slotsFor(kind).map((slot) => (
              <label key={slot} className="check">
                <input type="checkbox" name="slots" value={slot} defaultChecked={item?.slots.includes(slot) ?? false} />
                {slotWords[slot]}
              </label>
            ))}
          </fieldset>
        )}
        <div className={styles.numbers}>
          <TextField
            label="Weight in grams"
            name="weight"
            type="number"
            min={0}
            max={1_000_000}
            defaultValue={item?.weight ?? 100}
            required
          />
          <TextField
            label="Price in gold"
            name="price"
            type="number"
            min={1}
            max={1_000_000_000}
            defaultValue={item?.price ?? ''}
            placeholder="Not for sale"
          />
          <TextField
            label="Pieces"
            name="quantity"
            type="number"
            min={1}
            max={1000}
            defaultValue={item?.quantity ?? 1}
            required
          />
          <TextField
            label="Bonus"
            name="bonus"
            type="number"
            min={-20}
            max={20}
            defaultValue={item?.bonus ?? 0}
            required
          />
        </div>
        <label className="check">
          <input type="checkbox" name="isFixed" defaultChecked={item?.isFixed ?? false} />
          Fixed where it is
        </label>
        {!item && (
          <>
            <RoomKeyField
              label="Place"
              name="place"
              defaultValue={place}
              hint="The key of a room or of a container, or the name of somebody of the world."
            />
            <TextField
              label="Key"
              name="key"
              maxLength={64}
              pattern="[A-Za-z0-9._:\-]+"
              hint="What it is called in files. Empty: made from the name."
            />
          </>
        )}
      </ModalForm>
    </Modal>
  );
}

const numberOf = (fields: FormData, name: string): number => Number(textOf(fields, name));

/** Keys of items are unique, and nobody has a list of all of them. */
const randomEnd = (): string => Math.random().toString(36).slice(2, 7);
