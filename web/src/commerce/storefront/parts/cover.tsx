/**
 * The picture of a product. A product without one has a generated cover, derived from its SKU, so that it always looks the same.
 */
import { memo } from 'react';
import styles from './cover.module.css';
import { palettes, patterns } from './cover-patterns.js';

interface CoverProps {
  readonly sku: string;
  readonly type: string;
  readonly title: string;
  readonly maker?: string | null;
  /** The picture. If omitted, a cover is drawn. */
  readonly image?: { readonly url: string } | null | undefined;
  /** Without text, for sizes at which it would be illegible. */
  readonly small?: boolean;
}

type Form = 'sleeve' | 'poster' | 'book' | 'box';

function formOf(type: string): Form {
  if (type === 'AUDIO_ALBUM') return 'sleeve';
  if (type === 'FILM') return 'poster';
  return type.includes('BOOK') ? 'book' : 'box';
}

/** Decorative: its text is repeated next to it. */
export const Cover = memo(function Cover({ sku, type, title, maker = null, image = null, small = false }: CoverProps) {
  if (image)
    return (
      <div aria-hidden="true" className={styles.stage} data-small={small || undefined}>
        <img className={styles.photo} src={image.url} alt="" loading="lazy" />
      </div>
    );
  return <DrawnCover sku={sku} type={type} title={title} maker={maker} small={small} />;
});

function DrawnCover({ sku, type, title, maker, small }: Required<Omit<CoverProps, 'image'>>) {
  const random = randomOf(sku);
  const [ground, ink, ...colors] = pick(palettes, random);
  const draw = pick(patterns, random);
  const form = formOf(type);
  return (
    <div aria-hidden="true" className={styles.stage} data-form={form} data-small={small || undefined}>
      <div className={styles.cover} style={{ '--ground': ground, '--cover-ink': ink } as React.CSSProperties}>
        <svg viewBox="0 0 100 100" preserveAspectRatio="xMidYMid slice" className={styles.pattern} role="presentation">
          {draw(random, colors)}
        </svg>
        {!small && (
          <div className={styles.words}>
            <span className={styles.title}>{title}</span>
            {maker && <span className={styles.maker}>{maker}</span>}
          </div>
        )}
      </div>
      {form === 'sleeve' && <div className={styles.disc} />}
    </div>
  );
}

function pick<Value>(values: readonly [Value, ...Value[]], random: () => number): Value {
  return values[Math.floor(random() * values.length)] ?? values[0];
}

/** A deterministic random generator from 0 to 1, seeded with the text (FNV-1a, then mulberry32). */
function randomOf(text: string): () => number {
  let state = 2_166_136_261;
  for (const letter of text) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
