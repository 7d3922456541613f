/** Stands above an answer: why it cannot be had, or where it is not there yet, lines in its place. */
import { Failure } from './notice.js';
import { SkeletonRows } from './skeleton.js';
import type { Answer } from './use-data.js';

interface WaitingProps extends Answer<unknown> {
  /** How many lines, and how high each. */
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
