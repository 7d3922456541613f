/** The lines that were typed, as the arrow keys go through them. */
export interface History {
  /** The oldest first. */
  readonly lines: readonly string[];
  /** Which one is shown. Null: what is being typed. */
  readonly at: number | null;
  /** What was being typed when the arrow key was pressed. */
  readonly draft: string;
}

export const HISTORY_MAX = 100;

export const startHistory = (lines: readonly string[]): History => ({ lines, at: null, draft: '' });

/** The same line twice in a row is kept once. */
export function remember({ lines }: History, line: string): History {
  const kept = lines.at(-1) === line ? lines : [...lines, line].slice(-HISTORY_MAX);
  return startHistory(kept);
}

/** @param typed what the field shows now */
export function older(history: History, typed: string): History {
  const { lines, at } = history;
  if (lines.length === 0) return history;
  if (at === null) return { ...history, at: lines.length - 1, draft: typed };
  return { ...history, at: Math.max(0, at - 1) };
}

export function newer(history: History): History {
  const { lines, at } = history;
  if (at === null) return history;
  return { ...history, at: at + 1 < lines.length ? at + 1 : null };
}

/** What the field shows. */
export const shownLine = ({ lines, at, draft }: History): string => (at === null ? draft : (lines[at] ?? draft));
