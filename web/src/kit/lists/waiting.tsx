/** The loading and error state of a query: placeholder lines until the result arrives, or why it failed. */

import type { Answer } from '../../api/use-data.js';
import { Failure } from '../display/notice.js';
import { SkeletonRows } from '../display/skeleton.js';

interface WaitingProps extends Answer<unknown> {
  /** The number of placeholder lines, and the height of each. */
  readonly rows: number;
  readonly height?: string;
}

export function Waiting({ data, error, again, rows, height }: WaitingProps) {
  if (error) {
    return (
      <Failure again={again} old={data != null}>
        {error}
      </Failure>
    );
  }
  return data == null && <SkeletonRows rows={rows} {...(height && { height })} />;
}
