/** What belongs to a node besides its text: publication, address, excerpt, tags, the fields of its kind, its readers. */
import { useId, useState } from 'react';
import { useDomain } from '../../api/use-domain.js';
import { DesignCard } from '../../comments/design/design-card.js';
import { navigate } from '../../kit/base/location.js';
import { Confirmation } from '../../kit/controls/confirmation.js';
import { TextField } from '../../kit/controls/text-field.js';
import { Card } from '../../kit/display/card.js';
import { Icon } from '../../kit/display/icon.js';
import { useRole } from '../../shell/access.js';
import { deleteNode } from '../data/commands.js';
import { typeWords } from '../data/nodes.js';
import type { SavedNode } from '../saver/use-saver.js';
import { isUnsaved } from '../saving/autosave.js';
import { HitsCard } from './hits-card.js';
import { MoveModal } from './move-modal.js';
import { PublicationCard } from './publication-card.js';
import styles from './settings-cards.module.css';
import { TagsField } from './tags-field.js';

const EXCERPT_MAX = 500;

export function SettingsCards({ saved }: { readonly saved: SavedNode }) {
  const { saver, state, node } = saved;
  const { fields } = state;
  const isEditor = useRole('EDITOR');
  const [moving, setMoving] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const hasHits = useDomain('analytics') && node.state === 'PUBLISHED';
  const excerpt = useId();
  const waits = isUnsaved(state);
  return (
    <div className={styles.cards}>
      <PublicationCard saved={saved} />
      <Card title="Details" bodyClass={styles.details}>
        {fields.videoUrl !== undefined && (
          <TextField
            label="Address of the video"
            name="videoUrl"
            type="url"
            value={fields.videoUrl ?? ''}
            onChange={(event) => saver.edit({ videoUrl: event.target.value })}
            hint="Its page on YouTube, Vimeo or PeerTube."
          />
        )}
        {fields.source !== undefined && (
          <TextField
            label="Source"
            name="source"
            maxLength={500}
            value={fields.source ?? ''}
            onChange={(event) => saver.edit({ source: event.target.value || null })}
            hint="Who said it, or where it is from."
          />
        )}
        <div className="field">
          <label htmlFor={excerpt}>Excerpt</label>
          <textarea
            className="input"
            id={excerpt}
            rows={3}
            maxLength={EXCERPT_MAX}
            value={fields.excerpt ?? ''}
            onChange={(event) => saver.edit({ excerpt: event.target.value })}
          />
          <span className="note">One or two sentences for lists, feeds and search engines.</span>
        </div>
        <TagsField saved={saved} />
        <div className="field">
          <span className="label">Address</span>
          <div className={styles.address}>
            <code>{node.path}</code>
            <button type="button" className="button small" disabled={waits} onClick={() => setMoving(true)}>
              Change
            </button>
          </div>
          {waits && <span className="note">Can be changed when everything is saved.</span>}
        </div>
        <button
          type="button"
          className={`button danger ${styles.remove}`}
          disabled={waits}
          onClick={() => setDeleting(true)}
        >
          <Icon name="trash" /> Move to the trash
        </button>
      </Card>
      {hasHits && <HitsCard id={node.id} url={node.url} />}
      {isEditor && node.state === 'PUBLISHED' && <DesignCard nodeId={node.id} />}
      {moving && <MoveModal saved={saved} onClose={() => setMoving(false)} />}
      {deleting && (
        <Confirmation
          title={`Move this ${typeWords[node.type].name.toLowerCase()} to the trash?`}
          consequence="Readers no longer see it. For 30 days it can be restored from the trash, with all versions."
          no="Keep it"
          yes="Move to the trash"
          act={() => deleteNode({ id: node.id, nonce: state.stored.nonce })}
          onClose={() => {
            setDeleting(false);
          }}
          onDone={() =>
            navigate(node.parent && isEditor ? `/content?in=${encodeURIComponent(node.parent.id)}` : '/content')
          }
        />
      )}
    </div>
  );
}
