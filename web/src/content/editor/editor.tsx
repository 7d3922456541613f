/** Writing: the title, the text next to its preview, and all that belongs to the node. */
import { useEffect, useState } from 'react';
import '../../comments/discussion/discussion.css';
import { Discussion } from '../../comments/discussion/discussion.js';
import { formatCountOf, formatMoment } from '../../kit/base/format.js';
import { useTitle } from '../../kit/base/title.js';
import { Link } from '../../kit/controls/link.js';
import { Segmented } from '../../kit/controls/segmented.js';
import { Icon } from '../../kit/display/icon.js';
import { Notice } from '../../kit/display/notice.js';
import { ShareLink } from '../../shell/share-link.js';
import { type EditorNode, typeWords } from '../data/nodes.js';
import { uploadPicture } from '../data/pictures.js';
import { StateBadge } from '../parts/state-badge.js';
import { type SavedNode, useSaver } from '../saver/use-saver.js';
import { isUnsaved } from '../saving/autosave.js';
import { MarkdownEditor } from '../text/lazy.js';
import styles from './editor.module.css';
import { PictureField } from './picture-field.js';
import { Preview } from './preview.js';
import { SaveState } from './save-state.js';
import { SettingsCards } from './settings-cards.js';
import { HistoryModal } from './versions/history-modal.js';
import { MergeModal } from './versions/merge-modal.js';
import { NewerVersion } from './versions/newer-version.js';

type View = 'write' | 'both' | 'preview';

const views: readonly { readonly value: View; readonly label: string }[] = [
  { value: 'write', label: 'Write' },
  { value: 'both', label: 'Both' },
  { value: 'preview', label: 'Preview' },
];
const WIDE = '(min-width: 1100px)';

export function Editor({ opened, viewerId }: { readonly opened: EditorNode; readonly viewerId: string }) {
  const saved = useSaver(opened, viewerId);
  const { saver, state, node } = saved;
  const [view, setView] = useState<View>(() => (window.matchMedia(WIDE).matches ? 'both' : 'write'));
  const [failures, setFailures] = useState<readonly string[]>([]);
  const [showsHistory, showHistory] = useState(false);
  const [merging, setMerging] = useState(true);
  const { fields, trouble } = state;
  useTitle(fields.title || 'Untitled');
  useSaveKey(saver.save);
  const isConflict = trouble?.kind === 'conflict';
  useEffect(() => {
    if (isConflict) setMerging(true);
  }, [isConflict]);

  const upload = async (file: File, onProgress: (share: number) => void) => {
    const outcome = await uploadPicture(file, onProgress);
    if (typeof outcome !== 'string') return outcome.id;
    setFailures((known) => [...known, `${file.name}: ${outcome}`]);
    return null;
  };

  return (
    <div className={styles.page}>
      <Bar saved={saved} onHistory={() => showHistory(true)} />
      <Notices saved={saved} onMerge={() => setMerging(true)} />
      {failures.map((failure) => (
        <Notice
          key={failure}
          tone="bad"
          action={
            <button type="button" className="button small" onClick={() => setFailures([])}>
              Dismiss
            </button>
          }
        >
          {failure}
        </Notice>
      ))}
      <div className={styles.columns}>
        <section className={`card ${styles.writing}`} aria-label="Text">
          <div className={styles.top}>
            <input
              className={styles.title}
              aria-label="Title"
              placeholder="Title"
              maxLength={300}
              value={fields.title ?? ''}
              onChange={(event) => saver.edit({ title: event.target.value })}
            />
            {fields.text !== undefined && (
              <span className={styles.views}>
                <Segmented label="View" value={view} options={views} onChange={setView} />
              </span>
            )}
          </div>
          {fields.imageId !== undefined && <PictureField saved={saved} />}
          {fields.text !== undefined && (
            <div className={styles.sides} data-view={view}>
              <div className={styles.write}>
                <MarkdownEditor
                  label="Text in Markdown"
                  value={fields.text ?? ''}
                  onChange={(text) => saver.edit({ text })}
                  upload={upload}
                  readOnly={saved.isGone}
                  aside={formatCountOf(wordsOf(fields.text ?? ''), 'word')}
                />
              </div>
              {view !== 'write' && <Preview node={node} state={state} />}
            </div>
          )}
          {fields.description !== undefined && (
            <div className={`field ${styles.description}`}>
              <label htmlFor="description">Description</label>
              <textarea
                className="input"
                id="description"
                rows={6}
                maxLength={5000}
                value={fields.description ?? ''}
                onChange={(event) => saver.edit({ description: event.target.value })}
              />
            </div>
          )}
        </section>
        <SettingsCards saved={saved} />
      </div>
      {node.state === 'PUBLISHED' && <Discussion on={node.id} />}
      {showsHistory && <HistoryModal saved={saved} onClose={() => showHistory(false)} />}
      {isConflict && merging && (
        <MergeModal key={trouble.theirs.nonce} saved={saved} conflict={trouble} onClose={() => setMerging(false)} />
      )}
    </div>
  );
}

function Bar({ saved, onHistory }: { readonly saved: SavedNode; readonly onHistory: () => void }) {
  const { saver, state, node } = saved;
  const { parent } = node;
  const canSave = isUnsaved(state) && !state.request;
  return (
    <div className={styles.bar}>
      <nav className={styles.way} aria-label="Where it is">
        <Link href="/content">Content</Link>
        {parent && (
          <>
            <span aria-hidden="true">/</span>
            <Link className="cut" href={`/content?in=${encodeURIComponent(parent.id)}`}>
              {parent.title}
            </Link>
          </>
        )}
        <span aria-hidden="true">/</span>
        <span className={styles.kind}>
          <Icon name={typeWords[node.type].icon} /> {typeWords[node.type].name}
        </span>
      </nav>
      <StateBadge node={node} />
      <SaveState state={state} />
      <span className={styles.actions}>
        {node.state === 'PUBLISHED' && <ShareLink id={node.id} />}
        {node.state === 'PUBLISHED' && (
          <a className="button quiet" href={node.url} target="_blank" rel="noreferrer">
            <Icon name="globe" /> View
          </a>
        )}
        <button type="button" className="button quiet" onClick={onHistory}>
          <Icon name="history" /> History
        </button>
        <button
          type="button"
          className={`button ${node.state === 'DRAFT' ? '' : 'primary'}`}
          title="Ctrl+S"
          disabled={!canSave}
          onClick={saver.save}
        >
          {node.state === 'DRAFT' ? 'Save' : 'Update'}
        </button>
      </span>
    </div>
  );
}

function Notices({ saved, onMerge }: { readonly saved: SavedNode; readonly onMerge: () => void }) {
  const { saver, state, isGone } = saved;
  const { trouble, restoredFrom, withoutCopy } = state;
  return (
    <>
      {isGone && (
        <Notice tone="warn" action={<Link href="/content/trash">Open the trash</Link>}>
          This was moved to the trash. Restore it to go on writing.
        </Notice>
      )}
      {trouble?.kind === 'refused' && <Notice tone="bad">Not saved: {trouble.message}</Notice>}
      {trouble?.kind === 'offline' && (
        <Notice tone="warn">
          The server does not answer. Go on writing: this browser keeps your text, and saves it when the server is back.
        </Notice>
      )}
      {trouble?.kind === 'conflict' && (
        <Notice
          tone="bad"
          action={
            <button type="button" className="button" onClick={onMerge}>
              Compare and merge
            </button>
          }
        >
          Someone else has saved this meanwhile. Nothing is lost, and nothing is saved until both are merged.
        </Notice>
      )}
      {restoredFrom !== null && (
        <Notice
          tone="plain"
          icon="history"
          action={
            <button type="button" className="button" onClick={saver.discard}>
              Discard it
            </button>
          }
        >
          Text of {formatMoment(restoredFrom)} UTC, which was not saved on the server, is back.
        </Notice>
      )}
      {withoutCopy && (
        <Notice tone="warn">This browser cannot keep a copy of your text. Save before you leave the page.</Notice>
      )}
      <NewerVersion saved={saved} />
    </>
  );
}

/** Ctrl+S, or ⌘S. */
function useSaveKey(save: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      save();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [save]);
}

const wordsOf = (text: string): number => text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.length ?? 0;
