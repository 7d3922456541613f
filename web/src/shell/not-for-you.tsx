/** Shown to users without access to a page. When they are granted the role, the page opens automatically. */

import { useTitle } from '../kit/base/title.js';
import { Link } from '../kit/controls/link.js';
import { Empty } from '../kit/display/notice.js';
import { hasGraphiQL, type PageEntry } from './access.js';
import { roleWords } from './role-words.js';

/** The home page of users without access to analytics. */
export function Welcome() {
  useTitle('Welcome');
  return (
    <section className="card">
      <h1 className="hidden">Welcome</h1>
      <Empty icon="user" title="You are signed in" action={<Link href="/profile">Go to your profile</Link>}>
        Site analytics are for editors. When an administrator makes you an editor, they appear here without signing in
        again. To buy something, go to <a href="/shop">the shop</a>.
        {hasGraphiQL && (
          <>
            {' '}
            To try the API, open <a href="/graphiql">GraphiQL</a>.
          </>
        )}
      </Empty>
    </section>
  );
}

export function NotForYou({ entry: { name, role } }: { entry: PageEntry }) {
  useTitle(name);
  return (
    <section className="card">
      <h1 className="hidden">{name}</h1>
      <Empty icon="key" title="You cannot open this page" action={<Link href="/">Go to the home page</Link>}>
        “{name}” requires the role {roleWords[role].name}. When an administrator grants it to you, the page opens
        automatically.
      </Empty>
    </section>
  );
}
