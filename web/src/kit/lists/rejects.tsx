/** The rejected rows of an import, with the reasons. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useState } from 'react';
import { client, explainError } from '../../api/client.js';
import { useData } from '../../api/use-data.js';
import { formatCount } from '../base/format.js';
import { Modal } from '../controls/modal.js';
import { Notice } from '../display/notice.js';
import { SkeletonRows } from '../display/skeleton.js';
import styles from './rejects.module.css';

const PAGE = 50;
/** The server stores this many rejected rows per import. */
const KEPT_MAX = 10_000;

interface Rejects {
  readonly edges: readonly {
    readonly cursor: string;
    readonly node: {
      readonly line: number;
      readonly reason: string;
      /** The field that is wrong, if the query asks for it and it is about one. */
      readonly field?: string | null;
      readonly raw: string;
    };
  }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

/** What the query has to find. */
export interface ImportWithRejects {
  readonly rejected: number;
  readonly rejectReasons: readonly { readonly reason: string; readonly count: number }[];
  readonly rejects: Rejects;
}

interface PageVariables extends Record<string, unknown> {
  readonly id: string;
  readonly first: number;
  readonly after?: string | null;
}

interface Source<Data> {
  readonly id: string;
  readonly query: TypedDocumentNode<Data, PageVariables>;
  /** Null if it no longer exists. */
  readonly importOf: (data: Data) => ImportWithRejects | null;
}

interface RejectsModalProps<Data> extends Source<Data> {
  readonly fileName: string;
  readonly onClose: () => void;
}

export function RejectsModal<Data>({ fileName, onClose, ...source }: RejectsModalProps<Data>) {
  const { data, error } = useData(source.query, { id: source.id, first: PAGE });
  const found = data && source.importOf(data);
  return (
    <Modal title={`Rejected lines of ${fileName}`} open wide onOpenChange={onClose}>
      {error && <Notice tone="bad">{error}</Notice>}
      {!data && !error && <SkeletonRows rows={8} />}
      {data && !found && <Notice tone="warn">This import no longer exists.</Notice>}
      {found && (
        <>
          <Reasons reasons={found.rejectReasons} rejected={found.rejected} />
          <Lines source={source} first={found.rejects} />
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

function Lines<Data>({ source: { id, query, importOf }, first }: { source: Source<Data>; first: Rejects }) {
  const [further, setFurther] = useState<readonly Rejects[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  const pages = [first, ...further];
  const { hasNextPage, endCursor } = (pages.at(-1) ?? first).pageInfo;
  const load = async () => {
    const { data, error } = await client.query(query, { id, first: PAGE, after: endCursor ?? null });
    setFailure(error ? explainError(error) : null);
    const rejects = data && importOf(data)?.rejects;
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
                  <td className={styles.reason}>
                    {node.reason}
                    {node.field && (
                      <>
                        {': '}
                        <code>{node.field}</code>
                      </>
                    )}
                  </td>
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
