/** The empty state: how to send sessions. */

import { ENDPOINT } from '../../api/session.js';
import { Snippet } from '../../kit/controls/snippet.js';
import { Card } from '../../kit/display/card.js';
import { Empty } from '../../kit/display/notice.js';
import styles from './user-card.module.css';

const mutation = `mutation ($sessions: [SessionInput!]!) { recordSessions(sessions: $sessions) { recorded } }`;

function command(): string {
  const sessions = [{ userId: 'ann', at: new Date(Date.now() - 600_000).toISOString(), length: 540 }];
  const body = JSON.stringify({ query: mutation, variables: { sessions } });
  return `curl ${window.location.origin}${ENDPOINT} -H 'authorization: Bearer YOUR_KEY' -H 'content-type: application/json' -d '${body}'`;
}

export const FirstSession = () => (
  <Card title="No sessions yet" bodyClass={styles.body}>
    <Empty icon="user" title="Send the first one">
      A session has a user, a start time and a length in seconds. Sessions are rolled up by hour, day, week, month and
      year within 90 seconds, and then appear here automatically.
    </Empty>
    <Snippet
      label="Requires an API key with the scope sessions:write. Administrators create keys under People, API keys."
      text={command()}
      copy="Copy command"
      note="Up to 1,000 sessions per call."
    />
  </Card>
);
