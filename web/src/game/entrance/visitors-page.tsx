/** What visitors see who are not signed in: what the game is, and how to get in. */

import { Entrance } from '../../people/entrance/entrance.js';
import { HowToGetIn, SignInForm } from '../../people/entrance/sign-in.js';
import { Tale } from '../characters/tale.js';
import styles from './visitors-page.module.css';

export const VisitorsPage = () => (
  <Entrance title="Play the text game" wide>
    <div className={styles.page}>
      <Tale />
      <div className={styles.form}>
        <h2>Sign in to play</h2>
        <SignInForm />
        <HowToGetIn />
      </div>
    </div>
  </Entrance>
);
