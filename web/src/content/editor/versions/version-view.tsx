/** A version: what it changed, or all of it if there is none before it. */
import { useState } from 'react';
import type { NodeVersionQuery } from '../../../../generated/graphql.js';
import { useData } from '../../../api/use-data.js';
import { formatCountOf, formatMoment } from '../../../kit/base/format.js';
import { Notice } from '../../../kit/display/notice.js';
import { Waiting } from '../../../kit/lists/waiting.js';
import { isRefused, restoreVersion } from '../../data/commands.js';
import { VersionDocument, type VersionEdge } from '../../data/versions.js';
import type { SavedNode } from '../../saver/use-saver.js';
import { isUnsaved } from '../../saving/autosave.js';
import { TextComparison } from '../../text/lazy.js';
import { Field, FieldChange, Fields, inOrder, isText, nameOfField } from './fields.js';
import styles from './history-modal.module.css';

type Versions = NonNullable<Extract<NodeVersionQuery['node'], { __typename: 'Page' }>['versions']>;
type Version = Versions['edges'][number]['node'];

interface VersionViewProps {
  readonly saved: SavedNode;
  readonly edge: VersionEdge;
  /** The cursor after which a page begins with it. */
  readonly previous: string | null;
  readonly onRestored: () => void;
}

export function VersionView({ saved, edge, previous, onRestored }: VersionViewProps) {
  const { state, node, take } = saved;
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const answer = useData(VersionDocument, { id: node.id, after: previous });
  const found = answer.data?.node;
  const version = found && 'versions' in found ? (found.versions?.edges[0]?.node ?? null) : null;
  const isCurrent = edge.node.version === state.stored.version;
  const restore = async () => {
    setBusy(true);
    const outcome = await restoreVersion({ id: node.id, nonce: state.stored.nonce }, edge.node.version);
    setBusy(false);
    if (isRefused(outcome)) return setRefusal(outcome.refusal);
    take(outcome);
    onRestored();
  };
  return (
    <div className={styles.view}>
      <div className={styles.head}>
        <div>
          <h3>Version {edge.node.version}</h3>
          <p className="note">
            {formatMoment(Date.parse(edge.node.at))} · {edge.node.author.name || 'A former member'}
            {version && ` · ${formatCountOf(version.words, 'word')}`}
          </p>
        </div>
        {isCurrent ? (
          <span className="badge" data-tone="accent">
            Current
          </span>
        ) : (
          <button type="button" className="button" disabled={busy || isUnsaved(state)} onClick={() => void restore()}>
            Restore this version
          </button>
        )}
      </div>
      {isUnsaved(state) && !isCurrent && <Notice tone="warn">Save your changes before you restore a version.</Notice>}
      {refusal && <Notice tone="bad">{refusal}</Notice>}
      <Waiting {...answer} data={version} rows={4} height="48px" />
      {version && (version.changes.length > 0 ? <Changes version={version} /> : <Whole version={version} />)}
    </div>
  );
}

function Changes({ version: { version, changes } }: { version: Version }) {
  const all = inOrder(changes);
  return (
    <>
      <Fields>
        {all
          .filter(({ field }) => !isText(field))
          .map(({ field, theirs, yours }) => (
            <FieldChange key={field} field={field} before={theirs} after={yours} />
          ))}
      </Fields>
      {all
        .filter(({ field }) => isText(field))
        .map(({ field, theirs, yours }) => (
          <TextComparison
            key={field}
            labels={[`${nameOfField(field)}: before`, `${nameOfField(field)}: version ${version}`]}
            left={theirs ?? ''}
            right={yours ?? ''}
          />
        ))}
    </>
  );
}

/** Fields that this kind of node does not have are null, and left out. */
function Whole({ version }: { version: Version }) {
  const { title, excerpt, text, description, videoUrl, source, imageId, publishedAt, slug } = version;
  const optional = Object.entries({ videoUrl, source, imageId, text, description }).flatMap(([field, value]) =>
    typeof value === 'string' ? [{ field, value }] : [],
  );
  const fields = inOrder([
    { field: 'title', value: title },
    { field: 'excerpt', value: excerpt },
    { field: 'publishedAt', value: publishedAt },
    { field: 'slug', value: slug },
    ...optional,
  ]);
  return (
    <>
      <p className="note">
        {version.version === 1
          ? 'The first version, as a whole. Later versions show what they changed.'
          : 'Nothing changed. This is the version as a whole.'}
      </p>
      <Fields>
        {fields.map(({ field, value }) => (
          <Field key={field} field={field} value={value} />
        ))}
      </Fields>
    </>
  );
}
