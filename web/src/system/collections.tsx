/** What each collection takes up, and which of its indexes are used. */
import { Fragment, useState } from 'react';
import { graphql } from '../../generated/gql.js';
import type { StorageQuery } from '../../generated/graphql.js';
import { usePolling } from '../api/polling.js';
import { useData } from '../api/use-data.js';
import { formatBytes, formatCompact, formatCount, formatCountOf } from '../kit/base/format.js';
import { Card } from '../kit/display/card.js';
import { Icon } from '../kit/display/icon.js';
import { Failure } from '../kit/display/notice.js';
import { SkeletonRows } from '../kit/display/skeleton.js';
import styles from './collections.module.css';

const StorageDocument = graphql(`
  query Storage {
    system {
      collections { collection documents dataBytes storageBytes indexes { name bytes uses } }
    }
  }
`);

/** Each collection is asked, which takes seconds. */
const POLL_MS = 60_000;
const nothing = {};

type Storage = StorageQuery['system']['collections'][number];

const indexBytes = ({ indexes }: Storage) => indexes.reduce((total, { bytes }) => total + bytes, 0);

export function CollectionsCard() {
  const { data, error, again } = useData(StorageDocument, nothing);
  usePolling(again, POLL_MS);
  return (
    <Card title="Storage" aside={<Legend />} bodyClass={styles.body}>
      {error && (
        <Failure again={again} old={data !== null}>
          {error}
        </Failure>
      )}
      {data ? <Collections collections={data.system.collections} /> : !error && <SkeletonRows rows={6} height="24px" />}
    </Card>
  );
}

function Collections({ collections }: { collections: readonly Storage[] }) {
  const [opened, setOpened] = useState<string | null>(null);
  const largest = Math.max(1, ...collections.map((storage) => storage.storageBytes + indexBytes(storage)));
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Collection</th>
          <th scope="col" className={styles.barColumn}>
            On disk
          </th>
          <th scope="col" className={`number ${styles.medium}`}>
            Documents
          </th>
          <th scope="col" className={`number ${styles.wide}`}>
            Data
          </th>
          <th scope="col" className="number">
            Disk
          </th>
          <th scope="col" className={`number ${styles.wide}`}>
            Indexes
          </th>
        </tr>
      </thead>
      <tbody>
        {collections.map((storage) => {
          const { collection } = storage;
          const open = opened === collection;
          return (
            <Fragment key={collection}>
              <tr>
                <th scope="row">
                  <button
                    type="button"
                    className={styles.open}
                    aria-expanded={open}
                    onClick={() => setOpened(open ? null : collection)}
                  >
                    <Icon name="chevron" />
                    {collection}
                  </button>
                </th>
                <td className={styles.barColumn}>
                  <span className={styles.bar} style={{ width: `${(100 * storage.storageBytes) / largest}%` }} />
                  <span className={styles.indexBar} style={{ width: `${(100 * indexBytes(storage)) / largest}%` }} />
                </td>
                <td className={`number ${styles.medium}`} title={formatCount(storage.documents)}>
                  {formatCompact(storage.documents)}
                </td>
                <td className={`number ${styles.wide}`}>{formatBytes(storage.dataBytes)}</td>
                <td className="number">{formatBytes(storage.storageBytes)}</td>
                <td className={`number ${styles.wide}`}>{formatBytes(indexBytes(storage))}</td>
              </tr>
              {open && (
                <tr>
                  <td colSpan={6} className={styles.detail}>
                    <Indexes storage={storage} />
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

const Legend = () => (
  <span className={styles.legend}>
    <span className={styles.bar} /> documents
    <span className={styles.indexBar} /> indexes
  </span>
);

function Indexes({ storage: { indexes, collection } }: { storage: Storage }) {
  const most = Math.max(1, ...indexes.map(({ uses }) => uses));
  return (
    <ul className={styles.indexes} aria-label={`Indexes of ${collection}`}>
      {indexes.map(({ name, bytes, uses }) => (
        <li key={name}>
          <code>{name}</code>
          <span className={styles.uses}>
            <span style={{ width: `${(100 * uses) / most}%` }} />
          </span>
          <span className="number">
            {uses === 0 ? 'not used since the database started' : `used ${formatCountOf(uses, 'time')}`}
          </span>
          <span className="number">{formatBytes(bytes)}</span>
        </li>
      ))}
    </ul>
  );
}
