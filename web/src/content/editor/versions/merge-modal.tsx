/** A conflict: both versions side by side, line by line, and the text that becomes of them. */
import { useState } from 'react';
import { formatMoment } from '../../../kit/base/format.js';
import { Choice } from '../../../kit/controls/choices.js';
import { Modal } from '../../../kit/controls/modal.js';
import { Notice } from '../../../kit/display/notice.js';
import type { Review, SaverState } from '../../saver/saver.js';
import type { SavedNode } from '../../saver/use-saver.js';
import { changesOf, type FieldName, type Fields } from '../../saving/autosave.js';
import { TextComparison } from '../../text/lazy.js';
import { type MergedText, mergeTexts } from '../../text/merge-text.js';
import styles from './merge-modal.module.css';

interface MergeModalProps {
  readonly saved: SavedNode;
  readonly conflict: Review;
  readonly onClose: () => void;
}

const names: Readonly<Record<FieldName, string>> = {
  title: 'Title',
  excerpt: 'Excerpt',
  text: 'Text',
  description: 'Description',
  videoUrl: 'Address of the video',
  source: 'Source',
  imageId: 'Picture',
  publishedAt: 'Publication',
};

/** Longer texts, which are compared line by line. */
const long: readonly FieldName[] = ['text', 'description'];

export function MergeModal({ saved: { saver, state }, conflict, onClose }: MergeModalProps) {
  const { theirs } = conflict;
  // Of the moment at which it opens: nothing is typed elsewhere meanwhile.
  const [yours] = useState(() => changesOf(state));
  const [merged, setMerged] = useState<Fields>(() => mergeFields(yours, state, conflict));
  const [clashes] = useState(() => clashesOf(yours, state, conflict));
  const changed = (Object.keys(yours) as FieldName[]).filter((field) => !isSame(yours[field], theirs.fields[field]));
  const [texts, rest] = [changed.filter(isLong), changed.filter((field) => !isLong(field))];
  return (
    <Modal
      title="Merge two versions"
      description={
        <>
          Someone else saved version {theirs.version} while you were writing. Their version is on the left. On the right
          is what will be saved: it has your changes and theirs. Edit it, or take lines over with the arrows.
        </>
      }
      open
      wide
      steady
      onOpenChange={onClose}
    >
      <div className={styles.merge}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it gets the focus first, so that a key typed just now presses no button */}
        <p tabIndex={0} className={styles.clashes} data-clashes={clashes > 0}>
          {clashes === 0
            ? 'No line was changed on both sides.'
            : `${clashes === 1 ? 'In one place' : `In ${clashes} places`} both changed the same lines. Your lines are on the right there: take over what is missing from the left. F8 goes to the next difference.`}
        </p>
        {texts.map((field) => (
          <TextComparison
            key={field}
            labels={[`${names[field]}: theirs, version ${theirs.version}`, `${names[field]}: will be saved`]}
            left={theirs.fields[field] ?? ''}
            right={merged[field] ?? ''}
            onChange={(value) => setMerged((known) => ({ ...known, [field]: value }))}
          />
        ))}
        {rest.map((field) => (
          <Choice
            key={field}
            label={names[field]}
            options={[
              { value: 'yours', name: show(field, yours[field]), meaning: 'Yours' },
              { value: 'theirs', name: show(field, theirs.fields[field]), meaning: 'Theirs' },
            ]}
            chosen={isSame(merged[field], yours[field]) ? 'yours' : 'theirs'}
            onChange={(side) =>
              setMerged((known) => ({
                ...known,
                [field]: (side === 'yours' ? yours[field] : theirs.fields[field]) ?? null,
              }))
            }
          />
        ))}
        {changed.length === 0 && (
          <Notice tone="good" icon="check">
            Both versions are the same.
          </Notice>
        )}
        <div className={styles.actions}>
          <button type="button" className="button" onClick={onClose}>
            Decide later
          </button>
          <button type="button" className="button danger" onClick={saver.discard}>
            Discard my changes
          </button>
          <button type="button" className="button primary" onClick={() => saver.merge(merged)}>
            Save merged version
          </button>
        </div>
      </div>
    </Modal>
  );
}

const isLong = (field: FieldName) => long.includes(field);
const isSame = (one: string | null | undefined, other: string | null | undefined) => (one || null) === (other || null);

function show(field: FieldName, value: string | null | undefined): string {
  if (field === 'publishedAt') return value ? `${formatMoment(Date.parse(value))} UTC` : 'A draft';
  return value || 'Empty';
}

/** What the server merged, as long as it is of what is on the screen; otherwise the same merge here. */
function mergeFields(yours: Fields, state: SaverState, { theirs, conflicts }: Review): Fields {
  return Object.fromEntries(
    (Object.keys(yours) as FieldName[]).map((field) => {
      const known = conflicts.find((each) => each.field === field);
      if (known && known.merged !== null && isSame(known.yours, yours[field])) return [field, known.merged];
      return [field, isLong(field) ? mergeLong(field, yours, state, theirs.fields).text : (yours[field] ?? null)];
    }),
  );
}

const clashesOf = (yours: Fields, state: SaverState, { theirs }: Review): number =>
  (Object.keys(yours) as FieldName[])
    .filter(isLong)
    .reduce((sum, field) => sum + mergeLong(field, yours, state, theirs.fields).clashes, 0);

const mergeLong = (field: FieldName, yours: Fields, { stored }: SaverState, theirs: Fields): MergedText =>
  mergeTexts(stored.fields[field] ?? '', yours[field] ?? '', theirs[field] ?? '');
