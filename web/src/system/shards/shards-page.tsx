/** Shard advice: the effect of each shard key on a collection, simulated by the server with stored documents. */
import { useMemo } from 'react';
import { graphql } from '../../../generated/gql.js';
import type { ShardAdviceSubject } from '../../../generated/graphql.js';
import { domainsStore } from '../../api/session.js';
import { useData } from '../../api/use-data.js';
import { formatCompact, formatCount } from '../../kit/base/format.js';
import { navigate, useLocation } from '../../kit/base/location.js';
import { useStore } from '../../kit/base/store.js';
import { Link } from '../../kit/controls/link.js';
import { Segmented } from '../../kit/controls/segmented.js';
import { Empty, Failure } from '../../kit/display/notice.js';
import { SkeletonRows } from '../../kit/display/skeleton.js';
import type { KeyAdvice } from './shard-advice.js';
import { ShardKeyCard } from './shard-key-card.js';
import styles from './shards-page.module.css';

const ShardAdviceDocument = graphql(`
  query ShardAdvice($subject: ShardAdviceSubject!, $sample: Int!, $shards: Int!) {
    shardAdvice(subject: $subject, sample: $sample, shards: $shards) {
      key
      isRecommended
      note
      inserts { shard share }
      phases { from to shares { shard share } }
      hottestShardShare
      worstPhaseShare
      queries { name shardsAsked shareOfShards }
      chunks
      jumboChunks
      chunkMoves
      spread { shards hottestShardShare }
      documents
      chunkDocuments
    }
  }
`);

interface Subject {
  readonly value: ShardAdviceSubject;
  readonly label: string;
  /** The domain that has the collection. */
  readonly domain: string;
}

const subjects: readonly Subject[] = [
  { value: 'LOG_EVENTS', label: 'Request log', domain: 'analytics' },
  { value: 'HITS', label: 'Hits', domain: 'analytics' },
  { value: 'SESSIONS', label: 'Sessions', domain: 'analytics' },
  { value: 'PRODUCTS', label: 'Products', domain: 'commerce' },
  { value: 'NODES', label: 'Content', domain: 'content' },
  { value: 'COMMENTS', label: 'Comments', domain: 'comments' },
  { value: 'POSTS', label: 'Posts', domain: 'social' },
  { value: 'NEWS', label: 'News', domain: 'social' },
  { value: 'ZONES', label: 'Zones for ads', domain: 'ads' },
  { value: 'CHARACTERS', label: 'Characters of the game', domain: 'game' },
];
const samples = [10_000, 100_000, 1_000_000, 2_000_000];
const clusters = [2, 3, 5, 10, 20, 50];

interface View extends Record<string, unknown> {
  readonly subject: ShardAdviceSubject;
  readonly sample: number;
  readonly shards: number;
}

/** Simulations are slow, and their results change only with new documents: they are cached. */
const context = { requestPolicy: 'cache-first' } as const;

export function ShardsPage() {
  const domains = useStore(domainsStore);
  const offered = useMemo(() => subjects.filter(({ domain }) => domains?.includes(domain)), [domains]);
  const view = useView(offered);
  const { data, error, again } = useData(ShardAdviceDocument, offered.length > 0 ? view : null, context);
  const advice = data?.shardAdvice;
  if (offered.length === 0) return <Empty icon="system" title="This server has no collection to advise on" />;
  return (
    <>
      <Choosers view={view} offered={offered} again={again} />
      {error && <Failure again={again}>{error}</Failure>}
      {!advice && !error && (
        <>
          <p className="note">Simulating. A million documents take a few seconds.</p>
          <SkeletonRows rows={3} height="150px" />
        </>
      )}
      {advice?.length === 0 && <NothingStored subject={view.subject} />}
      {advice && advice.length > 0 && <Advice advice={advice} shards={view.shards} />}
    </>
  );
}

/** The options are kept in the URL, so that they can be shared. */
function useView(offered: readonly Subject[]): View {
  const { query } = useLocation();
  const search = query.toString();
  return useMemo(() => {
    const given = new URLSearchParams(search);
    const oneOf = (values: readonly number[], name: string, usual: number) =>
      values.find((value) => String(value) === given.get(name)) ?? usual;
    return {
      subject: (offered.find(({ value }) => value === given.get('of')) ?? offered[0])?.value ?? 'LOG_EVENTS',
      sample: oneOf(samples, 'sample', 100_000),
      shards: oneOf(clusters, 'shards', 10),
    };
  }, [search, offered]);
}

function show({ subject, sample, shards }: View): void {
  navigate(`/system/shards?of=${subject}&sample=${sample}&shards=${shards}`, { replace: true });
}

interface ChoosersProps {
  readonly view: View;
  readonly offered: readonly Subject[];
  readonly again: () => void;
}

function Choosers({ view, offered, again }: ChoosersProps) {
  return (
    <div className={styles.choosers}>
      <Segmented
        label="Collection"
        value={view.subject}
        options={offered}
        onChange={(subject) => show({ ...view, subject })}
      />
      <label className={styles.chooser}>
        <span className="label">Documents</span>
        <select
          className="input"
          value={view.sample}
          onChange={(event) => show({ ...view, sample: Number(event.target.value) })}
        >
          {samples.map((sample) => (
            <option key={sample} value={sample}>
              last {formatCompact(sample)}
            </option>
          ))}
        </select>
      </label>
      <label className={styles.chooser}>
        <span className="label">Shards</span>
        <select
          className="input"
          value={view.shards}
          onChange={(event) => show({ ...view, shards: Number(event.target.value) })}
        >
          {clusters.map((shards) => (
            <option key={shards}>{shards}</option>
          ))}
        </select>
      </label>
      <button type="button" className="button" onClick={again}>
        Simulate again
      </button>
    </div>
  );
}

function Advice({ advice, shards }: { advice: readonly KeyAdvice[]; shards: number }) {
  const best = advice.find(({ isRecommended }) => isRecommended);
  const others = advice.filter((one) => one !== best);
  const [any] = advice;
  return (
    <>
      {best && (
        <section className={styles.recommendation} aria-label="Recommendation">
          <h2>
            Shard by <code>{best.key}</code>
          </h2>
          <p>{best.note}</p>
        </section>
      )}
      <div className={styles.keys}>
        {best && <ShardKeyCard advice={best} shards={shards} />}
        {others.map((one) => (
          <ShardKeyCard key={one.key} advice={one} shards={shards} />
        ))}
      </div>
      <p className="note">
        Simulated with {formatCount(any?.documents ?? 0)} stored documents in their order of arrival. A chunk is split
        at {formatCount(any?.chunkDocuments ?? 0)} documents, so that each shard gets about as many chunks as with a few
        gigabytes of data. <code>sextant shard-plan</code> prints the commands for all collections.
      </p>
    </>
  );
}

const nothingStored: Record<ShardAdviceSubject, { readonly title: string; readonly text: string }> = {
  LOG_EVENTS: { title: 'The request log is empty', text: 'Import an access log to compare its shard keys.' },
  HITS: { title: 'No hits yet', text: 'Import an access log, or add the snippet to a page.' },
  SESSIONS: { title: 'No sessions yet', text: 'Programs record sessions with the recordSessions mutation.' },
  PRODUCTS: { title: 'The catalog is empty', text: 'Import products, or add samples in Commerce.' },
  NODES: { title: 'No content yet', text: 'Write or import some to compare its shard keys.' },
  COMMENTS: { title: 'No comments yet', text: 'People comment on content and products.' },
  POSTS: { title: 'Nothing is posted yet', text: 'Post or import something in the network.' },
  NEWS: { title: 'No news yet', text: 'They arrive when people in the network follow others who post.' },
  ZONES: { title: 'No zones yet', text: 'Editors add zones for ads with the saveZone mutation.' },
  CHARACTERS: { title: 'No characters yet', text: 'People create them in the game.' },
};

interface Way {
  readonly path: string;
  readonly label: string;
}

const network: Way = { path: '/social', label: 'Go to the network' };
const charts: Way = { path: '/', label: 'Go to the charts' };

/** Where data comes from. Null if only from programs. */
const ways: Record<ShardAdviceSubject, Way | null> = {
  LOG_EVENTS: charts,
  HITS: charts,
  SESSIONS: null,
  PRODUCTS: { path: '/commerce', label: 'Go to the catalog' },
  NODES: { path: '/content', label: 'Go to the content' },
  COMMENTS: null,
  POSTS: network,
  NEWS: network,
  ZONES: null,
  CHARACTERS: null,
};

function NothingStored({ subject }: { subject: ShardAdviceSubject }) {
  const { title, text } = nothingStored[subject];
  const way = ways[subject];
  return (
    <Empty
      icon="system"
      title={title}
      action={
        way && (
          <Link className="button primary" href={way.path}>
            {way.label}
          </Link>
        )
      }
    >
      {text}
    </Empty>
  );
}
