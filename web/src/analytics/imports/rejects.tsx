/** The rejected lines of an import, with the reasons. */
import { useState } from 'react';
import { graphql } from '../../../generated/gql.js';
import type { RejectedLinesQuery } from '../../../generated/graphql.js';
import { client, explainError } from '../../api/client.js';
import { useData } from '../../api/use-data.js';
import { formatCount } from '../../kit/base/format.js';
import { Modal } from '../../kit/controls/modal.js';
import { Notice } from '../../kit/display/notice.js';
import { SkeletonRows } from '../../kit/display/skeleton.js';
import styles from './rejects.module.css';

const RejectedLinesDocument = graphql(`
  query RejectedLines($id: ID!, $first: Int!, $after: String) {
    logImport(id: $id) {
      id
      rejected
      rejectReasons { reason count }
      rejects(first: $first, after: $after) {
        edges { cursor node { line reason raw } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

const PAGE = 50;
/** The server stores this many rejected lines per import. */
const KEPT_MAX = 10_000;

type Rejects = NonNullable<RejectedLinesQuery['logImport']>['rejects'];

export function RejectsModal({ id, fileName, onClose }: { id: string; fileName: string; onClose: () => void }) {
  const { data, error } = useData(RejectedLinesDocument, { id, first: PAGE });
  const found = data?.logImport;
  return (
    <Modal title={`Rejected lines of ${fileName}`} open wide onOpenChange={onClose}>
      {error && <Notice tone="bad">{error}</Notice>}
      {!data && !error && <SkeletonRows rows={8} />}
      {data && !found && <Notice tone="warn">This import no longer exists.</Notice>}
      {found && (
        <>
          <Reasons reasons={found.rejectReasons} rejected={found.rejected} />
          <Lines id={id} first={found.rejects} />
        </>
      )}
    </Modal>
  );
}

function Reasons({ reasons, rejected }: { reasons: readonly { reason: string; count: number }[]; rejected: number }) {
  return (
    <ul className={styles.reasons} aria-label="Reasons">
      {reasons.map(({ reason, count }) => (
        <li key={reason}>
          <span className={styles.bar} style={{ width: `${(100 * count) / rejected}%` }} />
          <span>{reason}</span>
          <strong>{formatCount(count)}</strong>
        </li>
      ))}
      {rejected > KEPT_MAX && (
        <li className="note">The first {formatCount(KEPT_MAX)} lines are stored; the others are only counted.</li>
      )}
    </ul>
  );
}

function Lines({ id, first }: { id: string; first: Rejects }) {
  const [further, setFurther] = useState<readonly Rejects[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  const pages = [first, ...further];
  const { hasNextPage, endCursor } = (pages.at(-1) ?? first).pageInfo;
  const load = async () => {
    const { data, error } = await client.query(RejectedLinesDocument, { id, first: PAGE, after: endCursor ?? null });
    setFailure(error ? explainError(error) : null);
    const rejects = data?.logImport?.rejects;
    if (rejects) setFurther([...further, rejects]);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section className={styles.scroll} aria-label="Lines" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col" className="number">
                Line
              </th>
              <th scope="col">Reason</th>
              <th scope="col">Original line</th>
            </tr>
          </thead>
          <tbody>
            {pages.flatMap(({ edges }) =>
              edges.map(({ cursor, node }) => (
                <tr key={cursor}>
                  <td className="number">{formatCount(node.line)}</td>
                  <td className={styles.reason}>{node.reason}</td>
                  <td>
                    <code className={styles.raw}>{node.raw}</code>
                  </td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </section>
      {failure && <Notice tone="bad">{failure}</Notice>}
      {hasNextPage && (
        <button type="button" className={`button ${styles.more}`} onClick={() => void load()}>
          Show {PAGE} more
        </button>
      )}
    </>
  );
}
