/** The frame of the dashboard: the viewer determines what is shown, the URL determines the page. */
import { Suspense, useEffect } from 'react';
import type { Viewer } from './api/session.js';
import { closeSocket, connectionStore, liveSocket } from './api/socket.js';
import { useViewer, VIEWER_RETRY_MS } from './api/use-viewer.js';
import styles from './app.module.css';
import { useClock } from './kit/base/clock.js';
import { navigate, useLocation } from './kit/base/location.js';
import { useStore } from './kit/base/store.js';
import { Link } from './kit/controls/link.js';
import { Logo } from './kit/display/logo.js';
import { Empty, Notice } from './kit/display/notice.js';
import { SkeletonRows } from './kit/display/skeleton.js';
import { entrancePageAt } from './people/entrance/pages.js';
import { SignInPage } from './people/entrance/sign-in.js';
import { profilePage } from './people/section.js';
import { useSections } from './sections.js';
import { ErrorFence } from './shell/error-fence.js';
import { Header } from './shell/header.js';
import { preloadPages } from './shell/lazy-page.js';
import { NotForYou, Welcome } from './shell/not-for-you.js';
import { useOwnedSections } from './shell/owned-sections.js';
import {
  type OwnedSections,
  pageAt,
  pagesFor,
  type Section,
  type SectionPage,
  SectionView,
  useLost,
} from './shell/section.js';
import { SIGN_IN, VisitorFrame } from './shell/visitor-frame.js';

const HOME = '/';
const PRELOAD_AFTER_MS = 2_000;
/** A renewed session reopens the connection in less time. */
const AWAY_NOTICE_MS = 2_000;

export function App() {
  const { viewer, unreachable } = useViewer();
  const sections = useSections();
  const { path, query } = useLocation();
  const visited = viewer === null && !query.has(SIGN_IN) ? visitorsPageAt(sections, path) : undefined;
  const isLive = Boolean(viewer ?? visited);

  useEffect(() => {
    if (isLive) liveSocket();
    else closeSocket();
  }, [isLive]);

  useEffect(() => {
    if (!viewer || !sections) return;
    const pages = [...sections.flatMap((section) => section.pages), profilePage];
    // While idle, so that the other pages open instantly, even while the server is unreachable.
    const timer = setTimeout(() => void preloadPages(pages.map(({ Content }) => Content)), PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [viewer, sections]);

  const entrance = entrancePageAt(path, viewer === null);
  if (entrance) {
    return (
      <ErrorFence>
        <Suspense fallback={<Waiting />}>
          <entrance.Content />
        </Suspense>
      </ErrorFence>
    );
  }
  if (visited) return <Visited page={visited} path={path} />;
  if (viewer === null) return <Door section={sections?.find((section) => pageAt(section, path))} />;
  if (viewer === undefined || sections === null) return unreachable ? <Unreachable /> : <Waiting />;
  return <Frame path={path} viewer={viewer} sections={sections} />;
}

/** For visitors who are not signed in. */
const Door = ({ section }: { section: Section | undefined }) => (
  <ErrorFence>
    <Suspense fallback={<Waiting />}>{section?.visitors ? <section.visitors /> : <SignInPage />}</Suspense>
  </ErrorFence>
);

/** Empty at first, because the answer mostly comes at once. */
const Waiting = () => (
  <div role="status" aria-label="Loading" className={styles.waiting}>
    <Logo size={40} />
  </div>
);

function visitorsPageAt(sections: readonly Section[] | null, path: string): SectionPage | undefined {
  const page = sections?.map((section) => pageAt(section, path)).find((each) => each !== undefined);
  return page?.forVisitors && page;
}

function Visited({ page: { name, Content }, path }: { page: SectionPage; path: string }) {
  return (
    <VisitorFrame path={path}>
      <main id="main" className={styles.main} tabIndex={-1}>
        <h1 className="hidden">{name}</h1>
        <AwayNotice />
        <ErrorFence key={path}>
          <Suspense fallback={<SkeletonRows rows={6} height="64px" />}>
            <Content />
          </Suspense>
        </ErrorFence>
      </main>
    </VisitorFrame>
  );
}

interface PageProps {
  readonly path: string;
  readonly viewer: Viewer;
  readonly sections: readonly Section[];
}

function Frame({ path, viewer, sections }: PageProps) {
  const owned = useOwnedSections(viewer, sections);
  const open = sections.filter((section) => pagesFor(section, viewer, owned).length > 0);
  const at = sections.find((section) => pageAt(section, path));
  // The first section that the viewer can open takes the place of the home page on a server without one, and for whom it is the only section.
  const isElsewhere = path === HOME && (!at || (open.length === 1 && !open.includes(at)));
  const here = isElsewhere ? (open[0] ?? at) : at;
  return (
    <>
      <Header viewer={viewer} sections={open} owned={owned} here={here} />
      <main id="main" className={styles.main} tabIndex={-1}>
        <AwayNotice />
        <ErrorFence key={here?.name ?? path}>
          <Suspense fallback={<SkeletonRows rows={6} height="64px" />}>
            <Page path={path} viewer={viewer} sections={sections} owned={owned} here={here} />
          </Suspense>
        </ErrorFence>
      </main>
    </>
  );
}

/** Shown once for all cards of the page. */
function AwayNotice() {
  const { phase, since } = useStore(connectionStore);
  const isAway = useClock(1000, (now) => phase === 'offline' && now - since >= AWAY_NOTICE_MS);
  return (
    <div className={styles.away} role="status">
      {isAway && (
        <Notice tone="warn">
          The server cannot be reached. The data below may be outdated. The page reconnects automatically.
        </Notice>
      )}
    </div>
  );
}

interface OpenPageProps extends PageProps {
  readonly owned: OwnedSections;
  readonly here: Section | undefined;
}

function Page({ path, viewer, sections, owned, here }: OpenPageProps) {
  const open = here ? pagesFor(here, viewer, owned) : [];
  const isLost = useLost(path, open.length > 0);
  if (here && open.length > 0) return <SectionView section={here} path={path} open={open} />;
  if (path === HOME) return <Welcome sections={sections} />;
  const instead = here && !isLost && insteadOf(here, path, sections, viewer, owned);
  if (instead) return <Forward to={instead} />;
  if (here) return <NotForYou section={here} />;
  if (path === profilePage.path) return <profilePage.Content />;
  return (
    <>
      <h1 className="hidden">Not found</h1>
      <Empty icon="search" title="Page not found" action={<Link href={HOME}>Go to the home page</Link>}>
        {path} is not a page of this dashboard.
      </Empty>
    </>
  );
}

/** @returns the path of the page to which one leads whom it is not for */
function insteadOf(
  here: Section,
  path: string,
  sections: readonly Section[],
  viewer: Viewer,
  owned: OwnedSections,
): string | undefined {
  const instead = pageAt(here, path)?.insteadPath;
  const isOpen = (section: Section) => pagesFor(section, viewer, owned).some((page) => page.path === instead);
  return sections.some(isOpen) ? instead : undefined;
}

function Forward({ to }: { to: string }) {
  useEffect(() => navigate(to, { replace: true }), [to]);
  return <SkeletonRows rows={6} height="64px" />;
}

function Unreachable() {
  return (
    <main className={styles.unreachable}>
      <Notice tone="bad">
        The server cannot be reached. This page retries every {VIEWER_RETRY_MS / 1000} seconds and opens when it
        responds.
      </Notice>
    </main>
  );
}
