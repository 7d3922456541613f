/** How far an import or a rebuild has come, and its result. */
import { useState } from 'react';
import type { NetworkWorkFragment } from '../../../generated/graphql.js';
import { formatCount, formatCountOf } from '../../kit/base/format.js';
import { Link } from '../../kit/controls/link.js';
import { Card } from '../../kit/display/card.js';
import { Notice } from '../../kit/display/notice.js';
import { ProgressBar } from '../../kit/display/progress-bar.js';
import { isMoving, WorkBadge } from '../../kit/display/work-state.js';
import { RejectsModal } from '../../kit/lists/rejects.js';
import { importOf, RejectedNetworkRowsDocument } from '../data/maintenance.js';
import styles from './work-progress.module.css';

export function WorkProgress({ work }: { work: NetworkWorkFragment }) {
  const { id, state, done, total, failure } = work;
  const [showsRejects, showRejects] = useState(false);
  const isImport = work.__typename === 'DataImport';
  const name = isImport ? `Import of ${work.fileName}` : 'Rebuilding the news';
  return (
    <Card title={name} aside={<WorkBadge state={state} />} bodyClass={styles.work}>
      {isMoving(state) && <ProgressBar label={name} share={total ? done / total : null} />}
      <p role="status">
        {isMoving(state)
          ? `${formatCount(done)}${total ? ` of ${formatCount(total)}` : ''} ${isImport ? 'rows' : 'authors'}. It goes on if you leave this page.`
          : resultOf(work)}
      </p>
      {isImport && work.rejected > 0 && (
        <div>
          <button type="button" className="button small" onClick={() => showRejects(true)}>
            {formatCountOf(work.rejected, 'rejected row')}
          </button>
        </div>
      )}
      {failure && <Notice tone="bad">{failure}</Notice>}
      <p className="note">
        All background work is listed in <Link href="/system/work">System</Link>.
      </p>
      {showsRejects && isImport && (
        <RejectsModal
          id={id}
          fileName={work.fileName}
          query={RejectedNetworkRowsDocument}
          importOf={importOf}
          onClose={() => showRejects(false)}
        />
      )}
    </Card>
  );
}

function resultOf(work: NetworkWorkFragment): string {
  if (work.__typename === 'DataImport')
    return `${formatCount(work.imported)} imported, ${formatCount(work.skipped)} skipped, ${formatCount(work.rejected)} rejected.`;
  if (work.__typename !== 'NewsRebuild') return '';
  return work.wrong === 0
    ? 'The news were right: nothing has changed.'
    : `${formatCountOf(work.wrong, 'post')} corrected.`;
}
