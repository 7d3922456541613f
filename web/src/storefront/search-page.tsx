import { useLocation } from '../location.js';
import { Empty } from '../parts/notice.js';
import { useTitle } from '../parts/title.js';
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
          A word of its title is enough.
        </Empty>
      ) : (
        <FoundProducts text={text} />
      )}
    </section>
  );
}
