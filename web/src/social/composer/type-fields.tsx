/** The fields of one type of post. */
import { useState } from 'react';
import { Icon } from '../../kit/display/icon.js';
import { PictureField } from '../parts/picture-field.js';
import { lengthNear, ofDescription } from '../parts/text-limit.js';
import styles from './composer.module.css';
import type { Draft } from './draft.js';

interface TypeFieldsProps {
  readonly draft: Draft;
  readonly onChange: (some: Partial<Draft>) => void;
  readonly onBusy: (isBusy: boolean) => void;
}

const OPTIONS_MAX = 10;

export function TypeFields(props: TypeFieldsProps) {
  const { draft, onChange } = props;
  switch (draft.type) {
    case 'STATUS':
      return null;
    case 'PHOTO':
      return <PhotoFields {...props} />;
    case 'LINK':
      return (
        <div className={styles.fields}>
          <input
            className="input"
            type="url"
            aria-label="Address"
            placeholder="https://"
            maxLength={2000}
            value={draft.url}
            onChange={({ target }) => onChange({ url: target.value })}
          />
          <input
            className="input"
            dir="auto"
            aria-label="Title of the link"
            placeholder="Title (optional)"
            maxLength={200}
            value={draft.linkTitle}
            onChange={({ target }) => onChange({ linkTitle: target.value })}
          />
        </div>
      );
    case 'CHECK_IN':
      return <PlaceFields {...props} />;
    case 'POLL':
      return <PollFields {...props} />;
  }
}

/** Another picture keeps the description, which its writer sees: it may be a better copy. None has none. */
function PhotoFields({ draft: { picture, description }, onChange, onBusy }: TypeFieldsProps) {
  const length = lengthNear(description, ofDescription);
  return (
    <div className={styles.fields}>
      <PictureField
        label="Photo"
        picture={picture}
        onChange={(next) => onChange(next ? { picture: next } : { picture: null, description: '' })}
        onBusy={onBusy}
      />
      {picture !== null && (
        <div className="field">
          <label htmlFor="photo-description">Describe the photo for people who cannot see it</label>
          <textarea
            className={`input ${styles.description}`}
            id="photo-description"
            dir="auto"
            value={description}
            onChange={({ target }) => onChange({ description: target.value })}
          />
          {length !== null && <p className={`note ${styles.length}`}>{length}</p>}
        </div>
      )}
    </div>
  );
}

function PlaceFields({ draft: { place, position }, onChange }: TypeFieldsProps) {
  const [note, setNote] = useState<string | null>(null);
  const find = () => {
    if (position) return onChange({ position: null });
    setNote('Finding where you are…');
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => {
        setNote(null);
        onChange({ position: { latitude, longitude } });
      },
      () => setNote('The browser does not tell where you are. The name is enough.'),
    );
  };
  return (
    <div className={styles.fields}>
      <input
        className="input"
        dir="auto"
        aria-label="Name of the place"
        placeholder="Where are you?"
        maxLength={200}
        value={place}
        onChange={({ target }) => onChange({ place: target.value })}
      />
      {'geolocation' in navigator && (
        <label className="check">
          <input type="checkbox" checked={position !== null} onChange={find} />
          Show the place on a map
        </label>
      )}
      {note !== null && (
        <p className="note" role="status">
          {note}
        </p>
      )}
    </div>
  );
}

const durations = [
  [0, 'Voting does not end'],
  [1, 'For an hour'],
  [24, 'For a day'],
  [24 * 7, 'For a week'],
] as const;

function PollFields({ draft: { question, options, openFor }, onChange }: TypeFieldsProps) {
  const put = (at: number, text: string) =>
    onChange({ options: options.map((option, other) => (other === at ? text : option)) });
  return (
    <div className={styles.fields}>
      <input
        className="input"
        dir="auto"
        aria-label="Question"
        placeholder="What do you want to know?"
        maxLength={300}
        value={question}
        onChange={({ target }) => onChange({ question: target.value })}
      />
      {options.map((option, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an option is its place
        <div key={at} className={styles.row}>
          <input
            className="input"
            dir="auto"
            aria-label={`Option ${at + 1}`}
            placeholder={`Option ${at + 1}`}
            maxLength={100}
            value={option}
            onChange={({ target }) => put(at, target.value)}
          />
          {options.length > 2 && (
            <button
              type="button"
              className="button quiet icon"
              aria-label={`Remove option ${at + 1}`}
              onClick={() => onChange({ options: options.filter((_, other) => other !== at) })}
            >
              <Icon name="close" />
            </button>
          )}
        </div>
      ))}
      <div className={styles.row}>
        {options.length < OPTIONS_MAX && (
          <button type="button" className="button" onClick={() => onChange({ options: [...options, ''] })}>
            <Icon name="plus" /> Add option
          </button>
        )}
        <select
          className="input"
          aria-label="How long"
          value={openFor}
          onChange={({ target }) => onChange({ openFor: Number(target.value) })}
        >
          {durations.map(([hours, words]) => (
            <option key={hours} value={hours}>
              {words}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
