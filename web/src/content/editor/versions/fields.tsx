/** The fields of a node, as history and merge show them: the same names, the same values, in the same order. */
import type { ReactNode } from 'react';
import { useData } from '../../../api/use-data.js';
import { formatMoment } from '../../../kit/base/format.js';
import { GroupDocument } from '../../data/nodes.js';
import { PictureDocument } from '../../data/pictures.js';
import type { FieldName } from '../../saving/autosave.js';
import styles from './fields.module.css';

/** Slug and group change by moves, which no edit conflicts with. */
export type VersionField = FieldName | 'slug' | 'parentId';

const names: Readonly<Record<VersionField, string>> = {
  title: 'Title',
  excerpt: 'Excerpt',
  text: 'Text',
  description: 'Description',
  videoUrl: 'Address of the video',
  source: 'Source',
  imageId: 'Picture',
  publishedAt: 'Publication',
  slug: 'Address',
  parentId: 'Group',
};

const order = Object.keys(names) as readonly VersionField[];

/** A field of a later release shows under its name in the API. */
export const nameOfField = (field: string): string => names[field as VersionField] ?? field;

/** Longer texts, which are compared line by line. */
export const isText = (field: string): boolean => field === 'text' || field === 'description';

/** Sorts the same everywhere: first what is short, in the order of the editor, then the texts. */
export const inOrder = <Item extends { readonly field: string }>(items: readonly Item[]): Item[] =>
  items.toSorted((one, other) => placeOf(one.field) - placeOf(other.field));

const placeOf = (field: string): number => order.indexOf(field as VersionField) + (isText(field) ? order.length : 0);

interface FieldValueProps {
  readonly field: string;
  readonly value: string | null | undefined;
}

/** A value in a few words, or as a small picture. */
export function FieldValue({ field, value }: FieldValueProps): ReactNode {
  if (field === 'publishedAt') return value ? `${formatMoment(Date.parse(value))} UTC` : 'A draft';
  if (field === 'parentId') return value ? <GroupName id={value} /> : 'The top level';
  if (!value) return <span className={styles.empty}>Empty</span>;
  return field === 'imageId' ? <SmallPicture id={value} /> : value;
}

function GroupName({ id }: { id: string }) {
  const { data, error } = useData(GroupDocument, { id });
  const group = data?.node;
  if (group && 'path' in group) return `${group.title} (${group.path})`;
  return data || error ? 'A group that is no longer there' : '…';
}

function SmallPicture({ id }: { id: string }) {
  const { data, error } = useData(PictureDocument, { id });
  const picture = data?.node;
  if (picture && 'small' in picture)
    return (
      <img
        className={styles.picture}
        src={picture.small}
        alt={`${picture.width} by ${picture.height} pixels`}
        width={picture.width}
        height={picture.height}
      />
    );
  return data || error ? 'A picture that is no longer there' : <span className={styles.picture} />;
}

interface FieldChangeProps {
  readonly field: string;
  readonly before: string | null | undefined;
  readonly after: string | null | undefined;
}

/** A changed field that is not a text: before and after. Part of a `Fields`. */
export const FieldChange = ({ field, before, after }: FieldChangeProps) => (
  <div className={styles.field}>
    <dt>{nameOfField(field)}</dt>
    <dd>
      <del>
        <FieldValue field={field} value={before} />
      </del>{' '}
      <span aria-hidden="true">→</span>{' '}
      <ins>
        <FieldValue field={field} value={after} />
      </ins>
    </dd>
  </div>
);

/** A field as it is. Texts keep their lines. Part of a `Fields`. */
export const Field = ({ field, value }: FieldValueProps) => (
  <div className={styles.field} data-text={isText(field)}>
    <dt>{nameOfField(field)}</dt>
    <dd>
      {isText(field) && value ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        <section tabIndex={0} className={styles.text} aria-label={`${nameOfField(field)} of this version`}>
          {value}
        </section>
      ) : (
        <FieldValue field={field} value={value} />
      )}
    </dd>
  </div>
);

export const Fields = ({ children }: { children: ReactNode }) => <dl className={styles.fields}>{children}</dl>;
