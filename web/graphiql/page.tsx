/** GraphiQL with the session of the dashboard. */
import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import { useEffect, useState } from 'react';
import { domainsStore, findViewer, signOut, viewerStore } from '../src/api/session.js';
import { NARROW, useMedia } from '../src/kit/base/media.js';
import { useStore } from '../src/kit/base/store.js';
import { themeStore } from '../src/kit/base/theme.js';
import { Modal } from '../src/kit/controls/modal.js';
import { Logo } from '../src/kit/display/logo.js';
import { Notice } from '../src/kit/display/notice.js';
import { SignInForm } from '../src/people/entrance/sign-in.js';
import { useSections } from '../src/sections.js';
import { hasRole } from '../src/shell/access.js';
import { ThemeButton } from '../src/shell/theme-button.js';
import { type Example, type ExampleValues, examplesOf, findExampleValues, variablesOf } from './examples.js';
import { examplesPlugin } from './examples-plugin.js';
import { fetcher } from './fetcher.js';
import styles from './page.module.css';

export function GraphiQLPage() {
  const theme = useStore(themeStore);
  const viewer = useStore(viewerStore);
  const domains = useStore(domainsStore);
  const [unreachable, setUnreachable] = useState(false);
  const [values, setValues] = useState<ExampleValues | null>(null);

  useEffect(() => {
    findViewer().catch(() => setUnreachable(true));
  }, []);
  useEffect(() => {
    if (viewer === undefined || domains === null) return;
    const readsSites = viewer !== null && hasRole(viewer, 'EDITOR') && domains.includes('analytics');
    void findExampleValues(readsSites, new Date()).then(setValues);
  }, [viewer, domains]);

  return (
    <div className={styles.page}>
      <Bar />
      {unreachable && (
        <Notice tone="bad">The server cannot be reached. Reload the page when it is running again.</Notice>
      )}
      <main className={styles.main}>
        <h1 className="hidden">GraphiQL</h1>
        {values && domains && <Editors theme={theme} examples={examplesOf(domains)} values={values} />}
      </main>
    </div>
  );
}

interface EditorsProps {
  readonly theme: 'light' | 'dark';
  readonly examples: readonly Example[];
  readonly values: ExampleValues;
}

function Editors({ theme, examples, values }: EditorsProps) {
  const [plugins] = useState(() => [HISTORY_PLUGIN, examplesPlugin(examples, values)]);
  const isNarrow = useMedia(NARROW);
  const tabs = examples.map((example) => ({ query: example.text, variables: variablesOf(example, values) }));
  const [active] = useState(() => storedTab() ?? tabs[0]);
  return (
    <GraphiQL
      fetcher={fetcher}
      forcedTheme={theme}
      plugins={plugins}
      initialQuery={active?.query ?? ''}
      initialVariables={active?.variables ?? ''}
      defaultTabs={tabs}
      defaultEditorToolsVisibility={isNarrow ? false : 'variables'}
    >
      <GraphiQL.Logo>
        <span />
      </GraphiQL.Logo>
    </GraphiQL>
  );
}

interface StoredTab {
  readonly query: string | null;
  readonly variables: string | null;
}

/**
 * The tab that was open at the last visit. GraphiQL restores its tabs, but fills its editors with what was typed last:
 * a tab whose variables had not been edited would come back without them.
 */
function storedTab(): StoredTab | undefined {
  try {
    const stored = JSON.parse(localStorage.getItem('graphiql:tabState') ?? 'null') as {
      tabs: StoredTab[];
      activeTabIndex: number;
    } | null;
    return stored?.tabs[stored.activeTabIndex];
  } catch {
    return undefined; // GraphiQL also replaces state that it cannot parse
  }
}

function Bar() {
  const viewer = useStore(viewerStore);
  const sections = useSections() ?? [];
  const [open, setOpen] = useState(false);
  return (
    <header className={styles.bar}>
      <a className={styles.brand} href="/" aria-label="Sextant, home page">
        <Logo />
        Sextant
      </a>
      <nav aria-label="Pages">
        {viewer ? (
          sections
            .filter(({ role }) => hasRole(viewer, role))
            .map(({ name, pages }) => (
              <a key={name} href={pages[0].path}>
                {name}
              </a>
            ))
        ) : (
          <a href="/">Dashboard</a>
        )}
        <a href="/graphiql" aria-current="page">
          GraphiQL
        </a>
      </nav>
      {viewer === null && (
        <button type="button" className="button primary" onClick={() => setOpen(true)}>
          Sign in
        </button>
      )}
      {viewer && (
        <>
          <span className={styles.viewer}>{viewer.email}</span>
          <button type="button" className="button quiet" onClick={() => void signOut()}>
            Sign out
          </button>
        </>
      )}
      <ThemeButton />
      <Modal
        title="Sign in"
        description="Operations then run in your session, over HTTP and over the socket."
        open={open}
        onOpenChange={setOpen}
      >
        <SignInForm onSignedIn={() => setOpen(false)} />
      </Modal>
    </header>
  );
}
