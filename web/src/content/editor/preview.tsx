/**
 * What readers will see: the HTML that the server makes of the text on the screen. It is sanitized by the same code as
 * the public site's, so nothing that could run reaches this page.
 */
import { useEffect, useState } from 'react';
import { graphql } from '../../../generated/gql.js';
import { explainError, uncachedClient } from '../../api/client.js';
import { useIsAway } from '../../api/connection.js';
import { SkeletonRows } from '../../kit/display/skeleton.js';
import type { EditorNode } from '../data/nodes.js';
import type { SaverState } from '../saver/saver.js';
import styles from './preview.module.css';

const PreviewDocument = graphql(`
  query PreviewMarkdown($text: String!) { previewMarkdown(text: $text) }
`);

/** A pause in typing; each preview renders the whole text. */
const QUIET_MS = 400;

interface Rendered {
  readonly html: string;
  readonly error: string | null;
}

export function Preview({ node, state: { fields } }: { readonly node: EditorNode; readonly state: SaverState }) {
  const rendered = useRendered(fields.text ?? '');
  return (
    <section className={styles.preview} aria-label="Preview">
      {rendered?.error && <p className={styles.old}>The preview is not up to date: {rendered.error}</p>}
      {node.type === 'VIDEO' && fields.videoUrl && (
        <p className={styles.video}>
          A video: <span className="mono">{fields.videoUrl}</span>
        </p>
      )}
      {rendered === null && <SkeletonRows rows={5} height="20px" />}
      {rendered?.html === '' && !rendered.error && <p className={styles.empty}>The preview appears here.</p>}
      {rendered && (
        <article
          className={styles.prose}
          data-type={node.type}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by the server, see the top of the file
          dangerouslySetInnerHTML={{ __html: rendered.html }}
        />
      )}
      {node.type === 'QUOTE' && fields.source && <p className={styles.source}>— {fields.source}</p>}
    </section>
  );
}

/** @returns null until the first answer; after a failure the last one stays */
function useRendered(text: string): Rendered | null {
  const [rendered, setRendered] = useState<Rendered | null>(null);
  const isAway = useIsAway();
  useEffect(() => {
    if (isAway) return;
    if (text.trim() === '') return setRendered({ html: '', error: null });
    const stopped = new AbortController();
    const render = async () => {
      const fetchOptions = { signal: stopped.signal };
      const { data, error } = await uncachedClient.query(PreviewDocument, { text }, { fetchOptions }).toPromise();
      if (stopped.signal.aborted) return;
      if (data) setRendered({ html: data.previewMarkdown, error: null });
      else if (error) setRendered((last) => ({ html: last?.html ?? '', error: explainError(error) }));
    };
    const timer = setTimeout(() => void render(), QUIET_MS);
    return () => {
      clearTimeout(timer);
      stopped.abort(); // a newer text makes this one useless
    };
  }, [text, isAway]);
  return rendered;
}
