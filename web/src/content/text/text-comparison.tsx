/** Two texts side by side, line by line; on a narrow page below each other. Loaded on demand: see `lazy.tsx`. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { goToNextChunk, goToPreviousChunk, MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { NARROW, useMedia } from '../../kit/base/media.js';
import { look } from './look.js';
import styles from './text-comparison.module.css';

interface TextComparisonProps {
  /** The headings and accessible names of both sides. */
  readonly labels: readonly [left: string, right: string];
  readonly left: string;
  /** At first; the user may edit it, if there is `onChange`. */
  readonly right: string;
  readonly onChange?: (right: string) => void;
}

const common: Extension = [EditorView.lineWrapping, markdown({ base: markdownLanguage }), look];
const readOnly: Extension = [EditorState.readOnly.of(true), EditorView.editable.of(false)];
const collapse = { margin: 3, minSize: 6 } as const;
/** Long and very different texts must not hold up the page. */
const diffConfig = { scanLimit: 1000, timeout: 200 } as const;

export function TextComparison({ labels: [leftLabel, rightLabel], left, right, onChange }: TextComparisonProps) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(onChange);
  latest.current = onChange;
  const isEditable = onChange !== undefined;
  const isNarrow = useMedia(NARROW);
  /** What the user has written so far: another layout shows it, and not the text of the beginning. */
  const written = useRef(right);
  const shown = isEditable ? undefined : right;

  useEffect(() => {
    const parent = place.current;
    if (!parent) return;
    const named = (label: string) => EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' });
    const writing: Extension = isEditable
      ? [
          history(),
          keymap.of([{ key: 'F8', run: goToNextChunk, shift: goToPreviousChunk }, ...defaultKeymap, ...historyKeymap]),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (!docChanged) return;
            written.current = state.doc.toString();
            latest.current?.(written.current);
          }),
        ]
      : readOnly;
    const doc = shown ?? written.current;
    const rightSide: Extension = [common, named(rightLabel), writing];
    if (isNarrow) {
      const view = new EditorView({
        parent,
        doc,
        extensions: [
          rightSide,
          unifiedMergeView({
            original: left,
            mergeControls: isEditable && choiceButton,
            collapseUnchanged: collapse,
            diffConfig,
            gutter: false,
          }),
        ],
      });
      return () => view.destroy();
    }
    const view = new MergeView({
      parent,
      a: { doc: left, extensions: [common, named(leftLabel), readOnly] },
      b: { doc, extensions: rightSide },
      collapseUnchanged: collapse,
      diffConfig,
      ...(isEditable && { revertControls: 'a-to-b', renderRevertControl: () => revertButton(leftLabel) }),
    });
    return () => view.destroy();
  }, [left, shown, leftLabel, rightLabel, isEditable, isNarrow]);

  return (
    <div className={styles.comparison}>
      <div className={styles.heads}>
        <h3>{leftLabel}</h3>
        <h3>{rightLabel}</h3>
      </div>
      <div ref={place} className={styles.sides} />
    </div>
  );
}

/** On a narrow page, below the lines of the left side: which of both stay. */
function choiceButton(type: 'accept' | 'reject', act: (event: MouseEvent) => void): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = type === 'accept' ? 'Keep mine' : 'Take theirs';
  button.addEventListener('mousedown', (event) => event.preventDefault()); // the focus stays in the editor
  button.addEventListener('click', act);
  return button;
}

/** Takes the lines of the left side over. */
function revertButton(label: string): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = '→';
  button.title = `Take these lines from: ${label}`;
  button.setAttribute('aria-label', button.title);
  return button;
}
