/** A text as somebody wrote it, with links that can be followed. */
import { Fragment } from 'react';
import { partsOf } from './text-parts.js';

export const PlainText = ({ text }: { text: string }) =>
  partsOf(text).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
    <Fragment key={at}>
      {part.href === undefined ? (
        part.text
      ) : (
        <a href={part.href} target="_blank" rel="noopener noreferrer nofollow ugc">
          {part.text}
        </a>
      )}
    </Fragment>
  ));
