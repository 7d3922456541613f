/** Runs a query of the request log and draws its actual query plan. */
import { type FormEvent, useState } from 'react';
import type { EventFilter, ExplainEventsQuery, LogQuery } from '../../generated/graphql.js';
import { SiteHostsDocument } from '../analytics/sites/site-hosts.js';
import { client, explainError } from '../api/client.js';
import { useData } from '../api/use-data.js';
import { Segmented } from '../kit/controls/segmented.js';
import { Card } from '../kit/display/card.js';
import { Empty, Notice } from '../kit/display/notice.js';
import { ExplainEventsDocument, Plan } from '../kit/display/plan.js';
import styles from './explain.module.css';

const nothing = {};

/** Requests by day and page need a range: this one covers everything. */
const EVER = { from: '1995-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };

const narrowings = ['nothing', 'path', 'host', 'status'] as const;
type Narrowing = (typeof narrowings)[number];

const examples: Record<Exclude<Narrowing, 'nothing'>, string> = {
  path: '/index.html',
  host: '203.0.113.7',
  status: '404',
};

function filterOf(site: string, query: LogQuery, by: Narrowing, value: string): EventFilter {
  const filter: EventFilter = query === 'REQUESTS_BY_DAY_AND_PAGE' ? { site, range: EVER } : { site };
  if (by === 'nothing') return filter;
  return { ...filter, [by]: by === 'status' ? Number(value) : value };
}

export function ExplainCard() {
  const hosts = useData(SiteHostsDocument, nothing).data?.sites.map(({ host }) => host) ?? [];
  const [query, setQuery] = useState<LogQuery>('EVENTS');
  const [by, setBy] = useState<Narrowing>('nothing');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [plan, setPlan] = useState<ExplainEventsQuery['explainEvents'] | null>(null);

  const explain = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const filter = filterOf(String(form.get('site')), query, by, String(form.get('value') ?? ''));
    setBusy(true);
    const { data, error } = await client.query(
      ExplainEventsDocument,
      { filter, query },
      { requestPolicy: 'network-only' },
    );
    setBusy(false);
    setFailure(error ? explainError(error) : null);
    setPlan(data?.explainEvents ?? null);
  };

  return (
    <Card title="Explain a log query">
      <form className={styles.form} onSubmit={(event) => void explain(event)}>
        <Segmented
          label="Query"
          value={query}
          onChange={setQuery}
          options={[
            { value: 'EVENTS', label: 'Requests, newest first' },
            { value: 'REQUESTS_BY_DAY_AND_PAGE', label: 'By day and page' },
          ]}
        />
        <div className={styles.fields}>
          <div className="field">
            <label htmlFor="explain-site">Site</label>
            <select className="input" id="explain-site" name="site" required>
              {hosts.map((host) => (
                <option key={host}>{host}</option>
              ))}
            </select>
          </div>
          <div className="field">
            <label htmlFor="explain-by">Filter by</label>
            <select
              className="input"
              id="explain-by"
              value={by}
              onChange={(event) => setBy(event.target.value as Narrowing)}
            >
              {narrowings.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </div>
          {by !== 'nothing' && (
            <div className="field">
              <label htmlFor="explain-value">Which {by}</label>
              <input
                className="input"
                id="explain-value"
                name="value"
                key={by}
                type={by === 'status' ? 'number' : 'text'}
                min={100}
                max={999}
                placeholder={examples[by]}
                required
              />
            </div>
          )}
          <button type="submit" className="button primary" disabled={busy || hosts.length === 0}>
            {busy ? 'Running…' : 'Explain'}
          </button>
        </div>
      </form>
      <div className={styles.outcome} aria-live="polite">
        {failure && <Notice tone="bad">{failure}</Notice>}
        {plan && <Plan plan={plan} />}
        {!plan && !failure && (
          <Empty icon="search" title="Query plan">
            {hosts.length === 0
              ? 'Register a site first. A query covers one site.'
              : 'Runs the query, and shows which index the database used and how much it examined.'}
          </Empty>
        )}
      </div>
    </Card>
  );
}
