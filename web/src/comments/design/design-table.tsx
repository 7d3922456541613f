/** The designs side by side: what each costs for this discussion, and the move into it. */
import type { CommentDesign, CommentDesignAdviceQuery } from '../../../generated/graphql.js';
import { useData } from '../../api/use-data.js';
import { formatBytes, formatCount } from '../../kit/base/format.js';
import { Failure } from '../../kit/display/notice.js';
import cells from '../../kit/lists/cells.module.css';
import { ACTIONS, Table } from '../../kit/lists/table.js';
import styles from './design.module.css';
import { designs, designWords } from './design-words.js';
import { CommentDesignAdviceDocument, type DiscussionDesign } from './discussion-design.js';

interface DesignTableProps {
  readonly nodeId: string;
  readonly stored: NonNullable<DiscussionDesign['stored']>;
  readonly isBusy: boolean;
  readonly onChange: (design: CommentDesign) => void;
}

type Advice = CommentDesignAdviceQuery['commentDesignAdvice'][number];

export function DesignTable({ nodeId, stored, isBusy, onChange }: DesignTableProps) {
  const { data, error, again } = useData(CommentDesignAdviceDocument, { nodeId });
  return (
    <>
      {error && <Failure again={again}>{error}</Failure>}
      <Table
        label="Designs"
        columns={['Design', 'Stored', 'Read for a page', 'Written for a comment', ACTIONS]}
        busy={!data && !error}
      >
        <tbody>
          {designs.map((design) => {
            const advice = data?.commentDesignAdvice.find((one) => one.design === design);
            const isPresent = design === stored.design;
            return (
              <tr key={design}>
                <Name design={design} isPresent={isPresent} advice={advice} />
                <Costs advice={advice} />
                <td>
                  <span className={cells.actions}>
                    {!isPresent && advice?.isPossible !== false && (
                      <button
                        type="button"
                        className="button small"
                        disabled={isBusy}
                        aria-label={`Move here: ${designWords[design].name}`}
                        onClick={() => onChange(design)}
                      >
                        Move here
                      </button>
                    )}
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </Table>
    </>
  );
}

interface NameProps {
  readonly design: CommentDesign;
  readonly isPresent: boolean;
  readonly advice: Advice | undefined;
}

function Name({ design, isPresent, advice }: NameProps) {
  const { name, meaning } = designWords[design];
  return (
    <th scope="row">
      <span className={cells.who}>
        {name} {isPresent && <span className="badge">present</span>}{' '}
        {advice?.isRecommended && (
          <span className="badge" data-tone="accent">
            recommended
          </span>
        )}
      </span>
      <span className={cells.second}>{advice?.note ?? meaning}</span>
    </th>
  );
}

/** On a narrow page the headings of the columns are in the cells. */
function Costs({ advice }: { readonly advice: Advice | undefined }) {
  if (!advice) return [0, 1, 2].map((column) => <td key={column} />);
  const { documents, bytes, documentsReadForAPage, bytesReadForAPage, bytesWrittenForAComment } = advice;
  return (
    <>
      <td className={styles.cost}>
        <span className={cells.narrow}>Stored: </span>
        {documentsIn(documents, bytes)}
      </td>
      <td className={styles.cost}>
        <span className={cells.narrow}>Read for a page: </span>
        {documentsIn(documentsReadForAPage, bytesReadForAPage)}
      </td>
      <td className={styles.cost}>
        <span className={cells.narrow}>Written for a comment: </span>
        {formatBytes(bytesWrittenForAComment)}
      </td>
    </>
  );
}

const documentsIn = (documents: number, bytes: number): string =>
  `${formatCount(documents)} ${documents === 1 ? 'document' : 'documents'}, ${formatBytes(bytes)}`;
