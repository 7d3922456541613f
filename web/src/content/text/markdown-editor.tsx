/** The Markdown editor. Loaded when an editor page opens: see `lazy.tsx`. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { Annotation, Compartment, EditorState } from '@codemirror/state';
import { drawSelection, dropCursor, EditorView, keymap, placeholder } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { Icon, type IconName } from '../../kit/display/icon.js';
import { type CommandName, commands } from './commands.js';
import { look } from './look.js';
import styles from './markdown-editor.module.css';
import { insertPicture, pictureMarks } from './picture-marks.js';

export interface MarkdownEditorProps {
  /** The accessible name. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Uploads a picture. @returns the id of the asset, or null after a failure, which the caller shows */
  readonly upload: (file: File, onProgress: (progress: number) => void) => Promise<string | null>;
  readonly readOnly?: boolean;
  /** Next to the buttons. */
  readonly aside?: React.ReactNode;
}

/** A change that came from outside, and must not be reported back. */
const fromOutside = Annotation.define<true>();

const buttons: readonly { name: CommandName; label: string; icon: IconName; keys?: string }[] = [
  { name: 'bold', label: 'Bold', icon: 'bold', keys: 'B' },
  { name: 'italic', label: 'Italic', icon: 'italic', keys: 'I' },
  { name: 'heading', label: 'Heading', icon: 'heading' },
  { name: 'link', label: 'Link', icon: 'link', keys: 'K' },
  { name: 'quote', label: 'Quote', icon: 'quote' },
  { name: 'list', label: 'List', icon: 'list' },
  { name: 'code', label: 'Code', icon: 'code', keys: 'E' },
];

export function MarkdownEditor(props: MarkdownEditorProps) {
  const { label, value, readOnly = false, aside } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const writable = useRef(new Compartment());
  const picker = useRef<HTMLInputElement>(null);
  const latest = useRef(props);
  latest.current = props;
  /** What was last reported or set: equal to `value` unless that came from outside. */
  const known = useRef(value);

  useEffect(() => {
    if (!place.current) return;
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: known.current,
        extensions: [
          history(),
          drawSelection(),
          dropCursor(),
          EditorView.lineWrapping,
          markdown({ base: markdownLanguage, addKeymap: true }),
          keymap.of([...shortcuts, ...defaultKeymap, ...historyKeymap]),
          placeholder('Write in Markdown. Drop or paste pictures into the text.'),
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true', autocapitalize: 'sentences' }),
          writable.current.of([]),
          pictureMarks,
          look,
          EditorView.updateListener.of(({ docChanged, state, transactions }) => {
            if (!docChanged || transactions.some((each) => each.annotation(fromOutside))) return;
            known.current = state.doc.toString();
            latest.current.onChange(known.current);
          }),
          EditorView.domEventHandlers({
            paste: (event, target) =>
              takePictures(target, event.clipboardData?.files, target.state.selection.main.head, latest.current),
            drop: (event, target) => {
              const at = target.posAtCoords({ x: event.clientX, y: event.clientY }) ?? target.state.doc.length;
              return takePictures(target, event.dataTransfer?.files, at, latest.current);
            },
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, [label]);

  useEffect(() => {
    if (value === known.current || !view.current) return;
    known.current = value;
    view.current.dispatch({
      changes: leastChange(view.current.state.doc.toString(), value),
      annotations: fromOutside.of(true),
    });
  }, [value]);

  useEffect(() => {
    const extension = readOnly ? [EditorState.readOnly.of(true), EditorView.editable.of(false)] : [];
    view.current?.dispatch({ effects: writable.current.reconfigure(extension) });
  }, [readOnly]);

  return (
    <div className={styles.editor}>
      <div className={styles.bar} role="toolbar" aria-label="Formatting">
        {buttons.map(({ name, label: words, icon, keys }) => (
          <button
            key={name}
            type="button"
            className="button quiet icon small"
            aria-label={words}
            title={keys ? `${words} (Ctrl+${keys})` : words}
            disabled={readOnly}
            onClick={() => {
              if (!view.current) return;
              commands[name](view.current);
              view.current.focus();
            }}
          >
            <Icon name={icon} />
          </button>
        ))}
        <button
          type="button"
          className="button quiet icon small"
          aria-label="Insert pictures"
          title="Insert pictures"
          disabled={readOnly}
          onClick={() => picker.current?.click()}
        >
          <Icon name="picture" />
        </button>
        <input
          ref={picker}
          type="file"
          accept="image/*"
          multiple
          hidden
          aria-label="Pictures to insert"
          onChange={(event) => {
            const editor = view.current;
            if (editor) takePictures(editor, event.target.files, editor.state.selection.main.head, latest.current);
            event.target.value = ''; // the same file may be chosen again
          }}
        />
        <span className={styles.aside}>{aside}</span>
      </div>
      <div ref={place} className={styles.text} />
    </div>
  );
}

/** @returns whether there were pictures: the editor then does nothing else with the event */
function takePictures(
  view: EditorView,
  files: FileList | null | undefined,
  at: number,
  { upload }: Pick<MarkdownEditorProps, 'upload'>,
): boolean {
  const pictures = [...(files ?? [])].filter(({ type }) => type.startsWith('image/'));
  for (const file of pictures) void insertPicture(view, file, at, upload);
  return pictures.length > 0;
}

const shortcuts = [
  { key: 'Mod-b', run: commands.bold },
  { key: 'Mod-i', run: commands.italic },
  { key: 'Mod-k', run: commands.link },
  { key: 'Mod-e', run: commands.code },
];

/** The change between two texts without what is alike at their ends: the cursor stays in its place. */
export function leastChange(before: string, after: string): { from: number; to: number; insert: string } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
