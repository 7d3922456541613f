/** The text editors, whose library is loaded when the first of them is shown. */
import { type ComponentProps, lazy, Suspense } from 'react';
import { Skeleton } from '../../kit/display/skeleton.js';

const Editor = lazy(async () => ({ default: (await import('./markdown-editor.js')).MarkdownEditor }));
const Comparison = lazy(async () => ({ default: (await import('./text-comparison.js')).TextComparison }));

export const MarkdownEditor = (props: ComponentProps<typeof Editor>) => (
  <Suspense fallback={<Skeleton height="420px" />}>
    <Editor {...props} />
  </Suspense>
);

export const TextComparison = (props: ComponentProps<typeof Comparison>) => (
  <Suspense fallback={<Skeleton height="320px" />}>
    <Comparison {...props} />
  </Suspense>
);
