/** How the request log grows and which collections it consists of; administrators can change it. */

import { formatBytes, formatCount } from '../../kit/base/format.js';
import { Card } from '../../kit/display/card.js';
import { Columns } from '../../kit/display/columns.js';
import { Notice } from '../../kit/display/notice.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { useRole } from '../../shell/access.js';
import { ChangeCard } from './change-card.js';
import { type Growth, useGrowth } from './growth-data.js';
import styles from './page.module.css';
import { describeWindow, strategyWords } from './strategies.js';
import { Timeline } from './timeline.js';

export function GrowthPage() {
  const answer = useGrowth();
  const administers = useRole('ADMIN');
  const growth = answer.data?.logGrowth;
  return (
    <>
      <Waiting {...answer} rows={6} height="64px" />
      {growth?.changingTo && (
        <Notice tone="plain" icon="live">
          The log is being changed to “{strategyWords[growth.changingTo].name}”. It stays readable and writable.
        </Notice>
      )}
      {growth && (
        <Columns>
          <GrowthCard growth={growth} />
          {administers ? <ChangeCard growth={growth} /> : <ForAdministrators />}
        </Columns>
      )}
    </>
  );
}

function GrowthCard({ growth }: { growth: Growth }) {
  const { collections, strategy } = growth;
  const events = collections.reduce((sum, each) => sum + each.events, 0);
  const bytes = collections.reduce((sum, each) => sum + each.bytes, 0);
  return (
    <Card title="How the log grows" aside={<span className="note">times in UTC</span>} bodyClass={styles.body}>
      <p>
        <strong>{strategyWords[strategy].name}.</strong> {strategyWords[strategy].meaning} Kept:{' '}
        <strong>{describeWindow(growth)}</strong>. Stored now: <strong>{formatCount(events)}</strong>{' '}
        {events === 1 ? 'request' : 'requests'} in <strong>{formatBytes(bytes)}</strong>, in{' '}
        {collections.length === 1 ? 'one collection' : `${collections.length} collections`}.
      </p>
      <Timeline collections={collections} />
    </Card>
  );
}

const ForAdministrators = () => (
  <Card title="Change how it grows">
    <p className="note">
      An administrator can change what is kept, and how. The log stays readable and writable during the change, and the
      effects are shown first.
    </p>
  </Card>
);
