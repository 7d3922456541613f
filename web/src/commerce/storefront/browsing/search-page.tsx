import { useLocation } from '../../../kit/base/location.js';
import { useTitle } from '../../../kit/base/title.js';
import { Empty } from '../../../kit/display/notice.js';
import { FoundProducts } from './lists.js';
import styles from './search-page.module.css';

export function SearchPage() {
  const text = useLocation().query.get('q')?.trim() ?? '';
  useTitle(text === '' ? 'Search' : text);
  return (
    <section className={styles.page} aria-labelledby="found-title">
      <h1 id="found-title">{text === '' ? 'Search' : `“${text}”`}</h1>
      {text === '' ? (
        <Empty icon="search" title="What are you looking for?">
          One word from the title is enough.
        </Empty>
      ) : (
        <FoundProducts text={text} />
      )}
    </section>
  );
}
