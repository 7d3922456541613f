/** The loading and error state of a query: placeholder lines until the result arrives, or why it failed. */
import { Failure } from './notice.js';
import { SkeletonRows } from './skeleton.js';
import type { Answer } from './use-data.js';

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
