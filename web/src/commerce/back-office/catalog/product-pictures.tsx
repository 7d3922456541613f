/** The pictures of a product: upload, order and removal. Each change is stored at once. */
import { useState } from 'react';
import { Notice } from '../../../kit/display/notice.js';
import { changeImages, uploadPicture } from '../data/pictures.js';
import type { ProductDetail } from '../data/products.js';
import styles from './product-pictures.module.css';

const IMAGES_MAX = 10;
const ACCEPTED = 'image/jpeg,image/png,image/gif,image/webp,image/avif';

export function ProductPictures({ product: { sku, title, images } }: { product: ProductDetail }) {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const ids = images.map(({ id }) => id);
  const run = async (work: () => Promise<string | null>) => {
    setBusy(true);
    setRefusal(await work());
    setBusy(false);
  };
  const add = (files: FileList) =>
    run(async () => {
      const added: string[] = [];
      for (const file of [...files].slice(0, IMAGES_MAX - ids.length)) {
        const outcome = await uploadPicture(file);
        if (typeof outcome === 'string') return `${file.name}: ${outcome}`;
        added.push(outcome.id);
      }
      return changeImages(sku, [...ids, ...added]);
    });
  const remove = (id: string) =>
    run(() =>
      changeImages(
        sku,
        ids.filter((each) => each !== id),
      ),
    );
  const makeFirst = (id: string) => run(() => changeImages(sku, [id, ...ids.filter((each) => each !== id)]));
  return (
    <section className={styles.pictures} aria-label="Pictures" aria-busy={busy}>
      <ul>
        {images.map(({ id, url }, at) => (
          <li key={id}>
            <img src={url} alt={`${title}, ${at + 1} of ${images.length}`} loading="lazy" />
            <div className={styles.actions}>
              {at > 0 && (
                <button type="button" className="button small" disabled={busy} onClick={() => void makeFirst(id)}>
                  Show first
                </button>
              )}
              <button
                type="button"
                className="button small"
                disabled={busy}
                aria-label={`Remove picture ${at + 1}`}
                onClick={() => void remove(id)}
              >
                Remove
              </button>
            </div>
          </li>
        ))}
      </ul>
      {refusal && <Notice tone="bad">{refusal}</Notice>}
      {images.length < IMAGES_MAX && (
        <label className={styles.upload}>
          <span>{busy ? 'Storing…' : 'Add pictures'}</span>
          <input
            type="file"
            accept={ACCEPTED}
            multiple
            disabled={busy}
            onChange={({ currentTarget }) => {
              if (currentTarget.files) void add(currentTarget.files).then(() => currentTarget.form?.reset());
            }}
          />
        </label>
      )}
    </section>
  );
}
