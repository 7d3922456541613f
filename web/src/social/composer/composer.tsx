/** Writes a post. */
import { useRef, useState } from 'react';
import type { PostInput, PostType } from '../../../generated/graphql.js';
import { Icon, type IconName } from '../../kit/display/icon.js';
import { Notice } from '../../kit/display/notice.js';
import { publish } from '../data/acts.js';
import type { Post } from '../data/post-list.js';
import { AudienceField } from './audience-field.js';
import styles from './composer.module.css';
import { type Draft, emptyDraft, inputOf, lackOf } from './draft.js';
import { TypeFields } from './type-fields.js';

const types: readonly (readonly [PostType, string, IconName])[] = [
  ['STATUS', 'Text', 'pen'],
  ['PHOTO', 'Photo', 'picture'],
  ['LINK', 'Link', 'link'],
  ['CHECK_IN', 'Place', 'pin'],
  ['POLL', 'Poll', 'chart'],
];

interface ComposerProps {
  /** Whose wall. Omitted: the viewer's own. */
  readonly wall?: { readonly id: string; readonly name: string };
  readonly onPosted: (post: Post) => void;
}

export function Composer({ wall, onPosted }: ComposerProps) {
  const [draft, setDraft] = useState(emptyDraft);
  const [isBusy, setBusy] = useState(false);
  const [isUploading, setUploading] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  /** What was sent without an answer: the same is sent again, with the same time, so that it is posted once. */
  const sent = useRef<{ readonly draft: Draft; readonly input: PostInput } | null>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  const change = (some: Partial<Draft>) => {
    setDraft((known) => ({ ...known, ...some }));
    setFailure(null);
  };
  const send = async () => {
    if (isBusy || isUploading) return;
    const lack = lackOf(draft);
    if (lack !== null) return setFailure(lack);
    if (sent.current?.draft !== draft) sent.current = { draft, input: inputOf(draft, wall?.id ?? null, Date.now()) };
    setBusy(true);
    setFailure(null);
    const posted = await publish(sent.current.input);
    setBusy(false);
    if (typeof posted === 'string') return setFailure(posted);
    sent.current = null;
    setDraft({ ...emptyDraft, audience: draft.audience, circleIds: draft.circleIds });
    onPosted(posted);
    text.current?.focus();
  };
  const label = wall ? `Write on the wall of ${wall.name}` : 'What is new?';
  return (
    <form
      className={`card ${styles.composer}`}
      aria-label="New post"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        ref={text}
        className={styles.text}
        aria-label={label}
        placeholder={label}
        rows={draft.type === 'STATUS' ? 3 : 2}
        maxLength={10_000}
        value={draft.text}
        onChange={({ target }) => change({ text: target.value })}
      />
      <TypeFields draft={draft} onChange={change} onBusy={setUploading} />
      <fieldset className={styles.types} aria-label="Type of the post">
        {types.map(([type, name, icon]) => (
          <button
            key={type}
            type="button"
            className={styles.type}
            aria-pressed={draft.type === type}
            onClick={() => change({ type })}
          >
            <Icon name={icon} /> {name}
          </button>
        ))}
      </fieldset>
      <div className={styles.foot}>
        <AudienceField draft={draft} onChange={change} />
        <button type="submit" className="button primary" disabled={isBusy || isUploading} title="Ctrl+Enter">
          {isBusy ? 'Posting…' : isUploading ? 'Uploading…' : 'Post'}
        </button>
      </div>
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
    </form>
  );
}
