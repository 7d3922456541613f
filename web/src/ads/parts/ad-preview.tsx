/**
 * An ad at its size, as the script of the snippet shows it, scaled down where there is less room. The HTML of an advertiser is shown in a sandboxed frame without scripts, and
 * the policy of the dashboard keeps it from loading anything from elsewhere.
 */
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { formatShare } from '../../kit/base/format.js';
import { formatMoney } from '../../kit/base/money.js';
import styles from './ad-preview.module.css';

export interface PreviewedAd {
  /** The advertiser's name. */
  readonly advertiser: string;
  readonly size: string;
  readonly headline?: string | null;
  readonly text?: string | null;
  readonly html?: string | null;
  /** Advertised by it. */
  readonly product?: { readonly price: { readonly amount: number; readonly currency: string } } | null;
  readonly image?: { readonly url?: string; readonly small: string } | null;
}

const SIZE = /^(\d{1,4})x(\d{1,4})$/;

/** Null while the size is not valid. */
export function readSize(size: string): { readonly width: number; readonly height: number } | null {
  const [, width, height] = SIZE.exec(size) ?? [];
  return Number(width) > 0 && Number(height) > 0 ? { width: Number(width), height: Number(height) } : null;
}

const HEIGHT_MAX = 420;
/** From this ratio on, the picture is beside the words. */
const FLAT_FROM = 3;
/** With the space around it. */
const HEADLINE_HEIGHT = 30;
const LINE_HEIGHT = 19;
const PRICE_HEIGHT = 23;

export function AdPreview({ ad }: { readonly ad: PreviewedAd }) {
  const room = useRef<HTMLDivElement>(null);
  const [available, setAvailable] = useState(0);
  useEffect(() => {
    const element = room.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setAvailable(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const size = readSize(ad.size);
  if (!size) return <p className="note">Enter a size, for example 300x250, to see the ad.</p>;
  const { width, height } = size;
  const scale = Math.min(1, available / width, HEIGHT_MAX / height);
  const whole: CSSProperties = { width, height, transform: `scale(${scale})` };
  return (
    <div ref={room}>
      <div className={styles.frame} style={{ width: width * scale, height: height * scale }}>
        <div className={styles.ad} style={whole}>
          {ad.html ? (
            <iframe sandbox="" srcDoc={documentOf(ad.html)} title={`Ad of ${ad.size}`} />
          ) : (
            <Plain ad={ad} width={width} height={height} />
          )}
          <details>
            <summary>
              <small>Ad · {ad.advertiser}</small>
            </summary>
            <p>Pages say here why the ad is shown.</p>
          </details>
        </div>
      </div>
      {scale < 1 && available > 0 && (
        <span className="note">shown at {formatShare(Math.round(scale * 100) / 100)}</span>
      )}
    </div>
  );
}

/** Links lead nowhere in the preview. */
const documentOf = (html: string) =>
  `<!doctype html><meta charset="utf-8"><style>body{margin:0}</style>${html.replaceAll('{{clickUrl}}', '#')}`;

interface PlainProps {
  readonly ad: PreviewedAd;
  readonly width: number;
  readonly height: number;
}

function Plain({ ad: { headline, text, product, image }, width, height }: PlainProps) {
  const isFlat = width >= FLAT_FROM * height;
  const room = height - HEADLINE_HEIGHT - (product ? PRICE_HEIGHT : 0);
  const lines = isFlat ? Math.max(product ? 0 : 1, Math.floor(room / LINE_HEIGHT)) : Number.POSITIVE_INFINITY;
  const src = image?.url ?? image?.small;
  return (
    <div className={styles.plain} data-flat={isFlat}>
      {src && <img src={src} alt={headline ? '' : 'The picture of the ad'} />}
      {(headline || text || product) && (
        <span className={styles.words}>
          {headline && <strong>{headline}</strong>}
          {text && lines > 0 && (
            <span className={styles.text} style={isFlat ? { WebkitLineClamp: lines } : undefined}>
              {text}
            </span>
          )}
          {product && <span className={styles.price}>{formatMoney(product.price)}</span>}
        </span>
      )}
    </div>
  );
}
