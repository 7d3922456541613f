/** How deep lists and quotes of a Markdown text are in each other: what is deeper is shown as text. */
import type { MarkdownIt } from 'markdown-it';

/** A list counts twice: itself and its item. The parser has the same bound, beyond which it would leave out the rest of the text. */
export const NESTING_MAX = 20;
/** How many levels deeper than themselves the blocks in them are. */
const CONTAINERS = { list: 2, blockquote: 1 } as const;

/**
 * A list or a quote that would be too deep is none: its lines are text of the deepest paragraph, marks and all. A line that is further
 * to the left goes on with an outer list: it still ends that paragraph.
 */
export function boundNesting({ block: { ruler } }: MarkdownIt): void {
  for (const [name, levels] of Object.entries(CONTAINERS)) {
    const rule = ruler.__rules__[ruler.__find__(name)];
    if (!rule) throw new Error(`The parser has no rule ${name}`);
    const { fn, alt } = rule;
    const bounded: typeof fn = (state, line, ...others) => {
      const isInside = (state.sCount[line] ?? 0) >= state.blkIndent;
      return !(isInside && state.level + levels >= NESTING_MAX) && fn(state, line, ...others);
    };
    ruler.at(name, bounded, { alt });
  }
}
