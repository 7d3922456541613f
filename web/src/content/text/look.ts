/** The look of the text editors: the design tokens, so that light and dark follow the page. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const theme = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'transparent', fontSize: '0.875rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.65' },
  '.cm-content': { padding: '14px 0', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 16px' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft)',
  },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '.cm-placeholder': { color: 'var(--ink-faint)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--ink-faint)', border: 'none' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--ink)' },
});

/** The merge view's own colors have a higher specificity than a theme's. */
const mergeTheme = EditorView.theme({
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: 'color-mix(in srgb, var(--bad) 28%, transparent)',
    borderRadius: '3px',
  },
  '&.cm-merge-b .cm-changedText': {
    background: 'color-mix(in srgb, var(--good) 30%, transparent)',
    borderRadius: '3px',
  },
  '&.cm-merge-a .cm-changedLine': { backgroundColor: 'var(--bad-soft)' },
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'var(--good-soft)' },
  '&.cm-merge-a .cm-changedLineGutter': { background: 'var(--bad)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--good)' },
  '.cm-collapsedLines': {
    color: 'var(--ink-faint)',
    background: 'var(--sunken)',
    fontFamily: 'var(--font)',
    padding: '4px 16px',
  },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"…"' }, // the library's own are in few fonts
  '.cm-mergeSpacer': { backgroundColor: 'var(--sunken)' },
});

const highlighting = HighlightStyle.define([
  { tag: tags.heading1, fontWeight: '700', fontSize: '1.3em' },
  { tag: tags.heading2, fontWeight: '700', fontSize: '1.15em' },
  { tag: tags.heading, fontWeight: '700' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.link, color: 'var(--accent)' },
  { tag: tags.url, color: 'var(--ink-faint)' },
  { tag: tags.quote, color: 'var(--ink-soft)', fontStyle: 'italic' },
  { tag: tags.monospace, color: 'var(--brass)' },
  { tag: tags.processingInstruction, color: 'var(--ink-faint)' },
  { tag: tags.contentSeparator, color: 'var(--ink-faint)' },
  { tag: tags.list, color: 'var(--ink)' },
  { tag: [tags.keyword, tags.tagName], color: 'var(--accent)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--good)' },
  { tag: tags.comment, color: 'var(--ink-faint)', fontStyle: 'italic' },
]);

export const look = [theme, mergeTheme, syntaxHighlighting(highlighting)];
