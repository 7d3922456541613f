/** What somebody sees who may not open a page. When a role is given, the page opens by itself. */
import { hasGraphiQL, type PageEntry } from '../access.js';
import { Link } from '../parts/link.js';
import { Empty } from '../parts/notice.js';
import { useTitle } from '../parts/title.js';
import { roleWords } from '../people/words.js';

/** The first page of somebody without figures to see. */
export function Welcome() {
  useTitle('Welcome');
  return (
    <section className="card">
      <h1 className="hidden">Welcome</h1>
      <Empty icon="user" title="You are signed in" action={<Link href="/profile">Go to your profile</Link>}>
        The figures of the sites are for editors. When an administrator makes you one, they appear here, without signing
        in again. To buy something, go to <a href="/shop">the shop</a>.
        {hasGraphiQL && (
          <>
            {' '}
            What you may ask the API for, you can try in <a href="/graphiql">GraphiQL</a>.
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
      <Empty icon="key" title="This page is not for you" action={<Link href="/">Go to the first page</Link>}>
        “{name}” is for people with the role {roleWords[role].name}. An administrator can give it to you; the page then
        opens by itself.
      </Empty>
    </section>
  );
}
