import { useEffect } from 'react';
import { navigate } from '../location.js';
import { useStore } from '../parts/store.js';
import { useTitle } from '../parts/title.js';
import { viewerStore } from '../session.js';
import { homeAddress } from './addresses.js';
import { Door } from './door.js';
import styles from './orders-page.module.css';

export function SignInPage() {
  useTitle('Sign in');
  const viewer = useStore(viewerStore);
  useEffect(() => {
    if (viewer) navigate(homeAddress, { replace: true });
  }, [viewer]);
  return (
    <section className={styles.page} aria-labelledby="door-title">
      <h1 id="door-title">Welcome</h1>
      <Door to={homeAddress} />
    </section>
  );
}
