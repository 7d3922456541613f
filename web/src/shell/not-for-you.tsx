/** Shown to users without access to a page. When they are granted the role, the page opens automatically. */
import { Fragment } from 'react';
import { useTitle } from '../kit/base/title.js';
import { Link } from '../kit/controls/link.js';
import { Empty } from '../kit/display/notice.js';
import { hasGraphiQL } from './access.js';
import { roleWords } from './role-words.js';
import type { Section } from './section.js';

/** The home page of users who cannot open the section there. */
export function Welcome({ sections }: { sections: readonly Section[] }) {
  useTitle('Welcome');
  return (
    <section className="card">
      <h1 className="hidden">Welcome</h1>
      <Empty icon="user" title="You are signed in" action={<Link href="/profile">Go to your profile</Link>}>
        {sections.map(({ name, welcome }) => welcome && <Fragment key={name}>{welcome} </Fragment>)}
        {hasGraphiQL && (
          <>
            To try the API, open <a href="/graphiql">GraphiQL</a>.
          </>
        )}
      </Empty>
    </section>
  );
}

export function NotForYou({ section: { name, role } }: { section: Section }) {
  useTitle(name);
  return (
    <section className="card">
      <h1 className="hidden">{name}</h1>
      <Empty icon="key" title="You cannot open this page" action={<Link href="/">Go to the home page</Link>}>
        “{name}” requires the {roleWords[role].name} role. When an administrator grants it to you, the page opens
        automatically.
      </Empty>
    </section>
  );
}
