/** What the buttons and keys of the Markdown editor do to the selection. */
import { EditorSelection, type StateCommand, type TransactionSpec } from '@codemirror/state';

/** Surrounds the selection, or takes the marks away if it has them. */
const surround =
  (mark: string): StateCommand =>
  ({ state, dispatch }) => {
    const change = state.changeByRange((range) => {
      const { from, to } = range;
      const inside = state.sliceDoc(from, to);
      const outside = state.sliceDoc(Math.max(0, from - mark.length), to + mark.length);
      if (outside === `${mark}${inside}${mark}`)
        return {
          changes: [
            { from: from - mark.length, to: from },
            { from: to, to: to + mark.length },
          ],
          range: EditorSelection.range(from - mark.length, to - mark.length),
        };
      return {
        changes: [
          { from, insert: mark },
          { from: to, insert: mark },
        ],
        range: EditorSelection.range(from + mark.length, to + mark.length),
      };
    });
    dispatch(state.update(change, { userEvent: 'input', scrollIntoView: true }));
    return true;
  };

/** Begins each selected line with a mark, or takes it away if all have it. */
const beginLines =
  (mark: string): StateCommand =>
  ({ state, dispatch }) => {
    const { from, to } = state.selection.main;
    const first = state.doc.lineAt(from).number;
    const lines = Array.from({ length: state.doc.lineAt(to).number - first + 1 }, (_, index) =>
      state.doc.line(first + index),
    );
    const marked = lines.every(({ text }) => text.startsWith(mark));
    const changes: TransactionSpec['changes'] = lines.map((line) =>
      marked ? { from: line.from, to: line.from + mark.length } : { from: line.from, insert: mark },
    );
    dispatch(state.update({ changes, userEvent: 'input', scrollIntoView: true }));
    return true;
  };

const link: StateCommand = ({ state, dispatch }) => {
  const { from, to } = state.selection.main;
  const text = state.sliceDoc(from, to);
  const insert = `[${text}](https://)`;
  const address = from + text.length + 3;
  const selection =
    text === '' ? EditorSelection.cursor(from + 1) : EditorSelection.range(address, address + 'https://'.length);
  dispatch(state.update({ changes: { from, to, insert }, selection, userEvent: 'input', scrollIntoView: true }));
  return true;
};

export const commands = {
  bold: surround('**'),
  italic: surround('_'),
  code: surround('`'),
  heading: beginLines('## '),
  quote: beginLines('> '),
  list: beginLines('- '),
  link,
} as const;

export type CommandName = keyof typeof commands;
