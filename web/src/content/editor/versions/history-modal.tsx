/**
 * The versions of a node and what each changed. Saves of one author within a few minutes are one entry: nobody looks for
 * a certain pause in typing.
 */
import { useState } from 'react';
import { useData } from '../../../api/use-data.js';
import { formatClock, formatDate } from '../../../kit/base/format.js';
import { Modal } from '../../../kit/controls/modal.js';
import { Waiting } from '../../../kit/lists/waiting.js';
import { type VersionEdge, VersionsDocument } from '../../data/versions.js';
import type { SavedNode } from '../../saver/use-saver.js';
import styles from './history-modal.module.css';
import { VersionView } from './version-view.js';

interface HistoryModalProps {
  readonly saved: SavedNode;
  readonly onClose: () => void;
}

const PAGE = 100;
/** A longer break is a new sitting. */
const SITTING_MS = 10 * 60_000;

export function HistoryModal({ saved, onClose }: HistoryModalProps) {
  const { id } = saved.node;
  const [after, setAfter] = useState<readonly (string | null)[]>([null]);
  const [chosen, choose] = useState<VersionEdge | null>(null);
  const answer = useData(VersionsDocument, { id, first: PAGE, after: after.at(-1) ?? null });
  const node = answer.data?.node;
  const versions = node && 'versions' in node ? node.versions : null;
  const edges = versions?.edges ?? [];
  const shown = chosen ?? edges[0] ?? null;
  const next = versions?.pageInfo.hasNextPage ? (versions.pageInfo.endCursor ?? null) : null;
  return (
    <Modal title="History" description="Every version is kept. Times in UTC." open wide onOpenChange={onClose}>
      <div className={styles.history}>
        <div className={styles.list}>
          <Waiting {...answer} data={versions} rows={6} height="40px" />
          {sittingsOf(edges).map((sitting) => (
            <Sitting key={sitting[0]?.cursor} edges={sitting} chosen={shown} onChoose={choose} />
          ))}
          <div className={styles.pages}>
            {after.length > 1 && (
              <button type="button" className="button small" onClick={() => setAfter(after.slice(0, -1))}>
                Newer
              </button>
            )}
            {next !== null && (
              <button type="button" className="button small" onClick={() => setAfter([...after, next])}>
                Older
              </button>
            )}
          </div>
        </div>
        {shown && (
          <VersionView
            key={shown.cursor}
            saved={saved}
            edge={shown}
            previous={previousCursor(edges, shown, after.at(-1) ?? null)}
            onRestored={onClose}
          />
        )}
      </div>
    </Modal>
  );
}

/** The cursor after which a page of one begins with this version. */
function previousCursor(edges: readonly VersionEdge[], { cursor }: VersionEdge, before: string | null): string | null {
  const at = edges.findIndex((each) => each.cursor === cursor);
  return at > 0 ? (edges[at - 1]?.cursor ?? null) : before;
}

function sittingsOf(edges: readonly VersionEdge[]): VersionEdge[][] {
  const sittings: VersionEdge[][] = [];
  for (const edge of edges) {
    const last = sittings.at(-1)?.at(-1)?.node;
    const isSame =
      last &&
      last.author.id === edge.node.author.id &&
      Date.parse(last.at) - Date.parse(edge.node.at) < SITTING_MS &&
      edge.node.version > 1;
    if (isSame) sittings.at(-1)?.push(edge);
    else sittings.push([edge]);
  }
  return sittings;
}

interface SittingProps {
  /** Newest first. */
  readonly edges: readonly VersionEdge[];
  readonly chosen: VersionEdge | null;
  readonly onChoose: (edge: VersionEdge) => void;
}

function Sitting({ edges, chosen, onChoose }: SittingProps) {
  const [open, setOpen] = useState(false);
  const [newest, ...rest] = edges;
  if (!newest) return null;
  const isOpen = open || rest.some(({ cursor }) => cursor === chosen?.cursor);
  return (
    <div className={styles.sitting}>
      <VersionButton edge={newest} chosen={chosen} onChoose={onChoose} />
      {rest.length > 0 && (
        <button type="button" className={`link ${styles.more}`} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide' : 'Show'} {rest.length} {rest.length === 1 ? 'save' : 'saves'} before
        </button>
      )}
      {isOpen &&
        rest.map((edge) => <VersionButton key={edge.cursor} edge={edge} chosen={chosen} onChoose={onChoose} />)}
    </div>
  );
}

interface VersionButtonProps extends Pick<SittingProps, 'chosen' | 'onChoose'> {
  readonly edge: VersionEdge;
}

function VersionButton({ edge, chosen, onChoose }: VersionButtonProps) {
  const { version, at, author } = edge.node;
  const time = Date.parse(at);
  return (
    <button
      type="button"
      className={styles.version}
      aria-pressed={edge.cursor === chosen?.cursor}
      onClick={() => onChoose(edge)}
    >
      <strong>
        {formatDate(time)}, {formatClock(time)}
      </strong>
      <span className="note">
        Version {version} · {author.name || 'A former member'}
      </span>
    </button>
  );
}
