/** A conflict: both versions side by side, line by line, and the text that becomes of them. */
import { useState } from 'react';
import { NARROW, useMedia } from '../../../kit/base/media.js';
import { Choice } from '../../../kit/controls/choices.js';
import { Modal } from '../../../kit/controls/modal.js';
import { Notice } from '../../../kit/display/notice.js';
import type { Review, SaverState } from '../../saver/saver.js';
import type { SavedNode } from '../../saver/use-saver.js';
import { changesOf, type FieldName, type Fields } from '../../saving/autosave.js';
import { TextComparison } from '../../text/lazy.js';
import { type MergedText, mergeTexts } from '../../text/merge-text.js';
import { Field, FieldChange, Fields as FieldList, FieldValue, inOrder, isText, nameOfField } from './fields.js';
import styles from './merge-modal.module.css';

interface MergeModalProps {
  readonly saved: SavedNode;
  readonly conflict: Review;
  readonly onClose: () => void;
}

export function MergeModal({ saved: { saver, state }, conflict, onClose }: MergeModalProps) {
  const { theirs } = conflict;
  const isNarrow = useMedia(NARROW);
  // Of the moment at which it opens: nothing is typed elsewhere meanwhile.
  const [yours] = useState(() => changesOf(state));
  const [merged, setMerged] = useState<Fields>(() => mergeFields(yours, state, conflict));
  const [clashes] = useState(() => clashesOf(yours, state, conflict));
  const changed = inOrder((Object.keys(yours) as FieldName[]).map((field) => ({ field })))
    .map(({ field }) => field)
    .filter((field) => !isSame(yours[field], theirs.fields[field]));
  const [texts, rest] = [changed.filter(isText), changed.filter((field) => !isText(field))];
  const onlyTheirs = inOrder(theirChanges(state, theirs.fields).filter(({ field }) => !changed.includes(field)));
  return (
    <Modal
      title="Merge two versions"
      description={
        <>
          Someone else saved version {theirs.version} while you were writing.{' '}
          {isNarrow
            ? 'Their lines are red, above yours in green. What is green, or in no color, will be saved: it has your changes and theirs. Edit it, or choose for each place.'
            : 'Their version is on the left. On the right is what will be saved: it has your changes and theirs. Edit it, or take lines over with the arrows.'}
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
            : `${clashes === 1 ? 'In one place' : `In ${clashes} places`} both changed the same lines. Yours ${
                isNarrow ? 'will be saved there' : 'are on the right there'
              }: take over what is missing from ${isNarrow ? 'theirs' : 'the left. F8 goes to the next difference'}.`}
        </p>
        {rest.map((field) => (
          <Choice
            key={field}
            label={nameOfField(field)}
            options={[
              { value: 'yours', name: <FieldValue field={field} value={yours[field]} />, meaning: 'Yours' },
              { value: 'theirs', name: <FieldValue field={field} value={theirs.fields[field]} />, meaning: 'Theirs' },
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
        {texts.map((field) => (
          <TextComparison
            key={field}
            labels={[
              `${nameOfField(field)}: theirs, version ${theirs.version}`,
              `${nameOfField(field)}: will be saved`,
            ]}
            left={theirs.fields[field] ?? ''}
            right={merged[field] ?? ''}
            onChange={(value) => setMerged((known) => ({ ...known, [field]: value }))}
          />
        ))}
        {onlyTheirs.length > 0 && (
          <section className={styles.theirs} aria-label="Changed by them only">
            <h3>Changed by them only, and kept</h3>
            <FieldList>
              {onlyTheirs.map(({ field, before, after }) =>
                isText(field) ? (
                  <Field key={field} field={field} value={after} />
                ) : (
                  <FieldChange key={field} field={field} before={before} after={after} />
                ),
              )}
            </FieldList>
          </section>
        )}
        {changed.length === 0 && onlyTheirs.length === 0 && (
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

const isSame = (one: string | null | undefined, other: string | null | undefined) => (one || null) === (other || null);

/** What differs from the version that both started with. */
const theirChanges = ({ stored }: SaverState, theirs: Fields) =>
  (Object.keys(theirs) as FieldName[])
    .filter((field) => !isSame(stored.fields[field], theirs[field]))
    .map((field) => ({ field, before: stored.fields[field], after: theirs[field] }));

/** What the server merged, as long as it is of what is on the screen; otherwise the same merge here. */
function mergeFields(yours: Fields, state: SaverState, { theirs, conflicts }: Review): Fields {
  return Object.fromEntries(
    (Object.keys(yours) as FieldName[]).map((field) => {
      const known = conflicts.find((each) => each.field === field);
      if (known && known.merged !== null && isSame(known.yours, yours[field])) return [field, known.merged];
      return [field, isText(field) ? mergeLong(field, yours, state, theirs.fields).text : (yours[field] ?? null)];
    }),
  );
}

const clashesOf = (yours: Fields, state: SaverState, { theirs }: Review): number =>
  (Object.keys(yours) as FieldName[])
    .filter(isText)
    .reduce((sum, field) => sum + mergeLong(field, yours, state, theirs.fields).clashes, 0);

const mergeLong = (field: FieldName, yours: Fields, { stored }: SaverState, theirs: Fields): MergedText =>
  mergeTexts(stored.fields[field] ?? '', yours[field] ?? '', theirs[field] ?? '');
