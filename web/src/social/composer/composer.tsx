/** Writes a post. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { PostType } from '../../../generated/graphql.js';
import { Icon, type IconName } from '../../kit/display/icon.js';
import { Notice } from '../../kit/display/notice.js';
import { publish } from '../data/acts.js';
import type { Post } from '../data/post-list.js';
import { Face } from '../parts/face.js';
import { lengthNear } from '../parts/text-limit.js';
import { AboutById } from '../posts/about-card.js';
import { AudienceField } from './audience-field.js';
import styles from './composer.module.css';
import { emptyDraft, isEmpty, lackOf } from './draft.js';
import { attemptFor } from './kept-drafts.js';
import { TypeFields } from './type-fields.js';
import { useDraft } from './use-draft.js';

const types: readonly (readonly [PostType, string, IconName])[] = [
  ['STATUS', 'Text', 'pen'],
  ['PHOTO', 'Photo', 'picture'],
  ['LINK', 'Link', 'link'],
  ['CHECK_IN', 'Place', 'pin'],
  ['POLL', 'Poll', 'chart'],
];

interface ComposerProps {
  readonly own: { readonly id: string; readonly name: string; readonly picture?: { readonly small: string } | null };
  /** Whose wall. Omitted: the viewer's own. */
  readonly wall?: { readonly id: string; readonly name: string };
  /** The object that the post is to be about, from the address. */
  readonly about?: string | null;
  /** Called when the draft has taken it over. */
  readonly onAboutTaken?: () => void;
  readonly onPosted: (post: Post) => void;
}

export function Composer({ own, wall, about = null, onAboutTaken, onPosted }: ComposerProps) {
  const { kept, keep, change } = useDraft(own.id, wall?.id ?? null);
  const { draft } = kept;
  const [isTouched, touch] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [isUploading, setUploading] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  const isOpen = isTouched || !isEmpty(draft);
  const edit = (some: Partial<typeof draft>) => {
    change(some);
    touch(true);
    setFailure(null);
  };
  useEffect(() => {
    if (about === null) return;
    change({ aboutId: about });
    onAboutTaken?.();
    text.current?.focus();
  }, [about, change, onAboutTaken]);
  /** Unless the answer came late, and its writer does something else by then: focus would close their menu. */
  const writeOn = () => {
    const { activeElement } = document; // the body, when what had the focus was disabled
    if (activeElement === document.body || form.current?.contains(activeElement)) text.current?.focus();
  };
  const send = async () => {
    if (isBusy || isUploading) return;
    const lack = lackOf(draft);
    if (lack !== null) return setFailure(lack);
    const attempt = attemptFor(kept, wall?.id ?? null, Date.now());
    keep({ draft, attempt });
    setBusy(true);
    setFailure(null);
    const posted = await publish(attempt.input, attempt.key);
    setBusy(false);
    if ('failure' in posted) {
      if (!posted.isOpen) keep({ draft, attempt: null });
      writeOn();
      return setFailure(posted.failure);
    }
    keep({ draft: { ...emptyDraft, audience: draft.audience, circleIds: draft.circleIds }, attempt: null });
    onPosted(posted);
    writeOn();
  };
  const discard = () => {
    keep({ draft: emptyDraft, attempt: null });
    setFailure(null);
    text.current?.focus();
  };
  const sendByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void send();
  };
  const length = lengthNear(draft.text);
  const label = wall ? `Write on the wall of ${wall.name}` : 'What is new?';
  return (
    <form
      ref={form}
      className={`card ${styles.composer}`}
      aria-label="New post"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={sendByKey}
    >
      <div className={styles.top}>
        <Face name={own.name} src={own.picture?.small} />
        <textarea
          ref={text}
          className={styles.text}
          dir="auto"
          aria-label={label}
          placeholder={label}
          rows={isOpen && draft.type === 'STATUS' ? 3 : 1}
          readOnly={isBusy}
          value={draft.text}
          onFocus={() => touch(true)}
          onChange={({ target }) => edit({ text: target.value })}
        />
      </div>
      {length !== null && <p className={`note ${styles.length}`}>{length}</p>}
      {/* What is changed while the answer is awaited would be lost with the draft. */}
      <fieldset className={styles.parts} disabled={isBusy}>
        {draft.aboutId !== null && (
          <AboutById
            id={draft.aboutId}
            action={
              <button
                type="button"
                className="button quiet icon"
                aria-label="Do not share this object"
                onClick={() => edit({ aboutId: null })}
              >
                <Icon name="close" />
              </button>
            }
          />
        )}
        <TypeFields draft={draft} onChange={edit} onBusy={setUploading} />
        <fieldset className={styles.types} aria-label="Type of the post">
          {types.map(([type, name, icon]) => (
            <button
              key={type}
              type="button"
              className={styles.type}
              aria-pressed={draft.type === type}
              onClick={() => edit({ type })}
            >
              <Icon name={icon} /> {name}
            </button>
          ))}
        </fieldset>
        {isOpen && (
          <div className={styles.foot}>
            <AudienceField draft={draft} onChange={edit} wallName={wall?.name ?? null} failure={failure} />
            <span className={styles.acts}>
              {!isEmpty(draft) && !isBusy && (
                <button type="button" className="button quiet" onClick={discard}>
                  Discard
                </button>
              )}
              <button type="submit" className="button primary" disabled={isUploading} title="Ctrl+Enter">
                {isBusy ? 'Posting…' : isUploading ? 'Uploading…' : 'Post'}
              </button>
            </span>
          </div>
        )}
      </fieldset>
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
    </form>
  );
}
