/** The audit trail, newest first. */
import { graphql } from '../../generated/gql.js';
import type { AuditTrailQuery } from '../../generated/graphql.js';
import { formatMoment } from '../kit/base/format.js';
import { Card } from '../kit/display/card.js';
import { Empty } from '../kit/display/notice.js';
import cells from '../kit/lists/cells.module.css';
import { PagedTable } from '../kit/lists/paged-table.js';
import { type Act, sentenceOf } from './all-words.js';
import styles from './audit-page.module.css';

const AuditTrailDocument = graphql(`
  query AuditTrail($first: Int!, $after: String) {
    auditTrail(first: $first, after: $after) {
      edges { cursor node { at actor onBehalfOf action subject detail address } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const connectionOf = (data: AuditTrailQuery) => data.auditTrail;

export function AuditPage() {
  return (
    <Card title="Administrative actions" aside={<span className="note">newest first, times in UTC</span>}>
      <PagedTable
        label="Administrative actions"
        query={AuditTrailDocument}
        connectionOf={connectionOf}
        columns={['What', 'Who', 'When', 'From']}
        rows={(edges) => edges.map(({ node, cursor }) => <ActRow key={cursor} act={node} />)}
        empty={
          <Empty icon="table" title="No actions yet">
            Changes to roles, invitations, accounts, API keys and sites are recorded here.
          </Empty>
        }
      />
    </Card>
  );
}

function ActRow({ act }: { act: Act }) {
  const { before, subject, after } = sentenceOf(act);
  return (
    <tr>
      <th scope="row">
        <span className={styles.act}>
          {before} <strong>{subject}</strong> {after}
        </span>
      </th>
      <td className={styles.actor}>
        {act.actor}
        {act.onBehalfOf && <span className={cells.second}>for {act.onBehalfOf}</span>}
      </td>
      <td className={cells.moment}>
        <time dateTime={act.at}>{formatMoment(Date.parse(act.at))}</time>
      </td>
      <td>
        <code className={cells.moment}>{act.address}</code>
      </td>
    </tr>
  );
}
