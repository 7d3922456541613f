import { useEffect } from 'react';
import { viewerStore } from '../../../api/session.js';
import { navigate } from '../../../kit/base/location.js';
import { useStore } from '../../../kit/base/store.js';
import { useTitle } from '../../../kit/base/title.js';
import { homeAddress } from '../parts/addresses.js';
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
