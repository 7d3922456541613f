/** The frame of the dashboard: the viewer determines what is shown, the URL determines the page. */
import { Component, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { findViewer, type Viewer, viewerStore } from './api/session.js';
import { closeSocket, liveSocket } from './api/socket.js';
import styles from './app.module.css';
import { useLocation } from './kit/base/location.js';
import { useStore } from './kit/base/store.js';
import { Link } from './kit/controls/link.js';
import { Empty, Notice } from './kit/display/notice.js';
import { SkeletonRows } from './kit/display/skeleton.js';
import { SignInPage } from './people/entrance/sign-in.js';
import { hasRole, pageAt } from './shell/access.js';
import { Header } from './shell/header.js';
import { preloadPages } from './shell/lazy-page.js';
import { NotForYou, Welcome } from './shell/not-for-you.js';

const loadTraffic = () => import('./analytics/section.js').then((module) => ({ default: module.TrafficSection }));
const loadShop = () => import('./commerce/back-office/section.js').then((module) => ({ default: module.ShopSection }));
const loadSystem = () => import('./system/section.js').then((module) => ({ default: module.SystemSection }));
const loadPeople = () => import('./people/section.js').then((module) => ({ default: module.PeopleSection }));
const loadProfile = () => import('./people/profile-page.js').then((module) => ({ default: module.ProfilePage }));
const TrafficSection = lazy(loadTraffic);
const ShopSection = lazy(loadShop);
const SystemSection = lazy(loadSystem);
const PeopleSection = lazy(loadPeople);
const ProfilePage = lazy(loadProfile);
const NewcomerPage = lazy(() =>
  import('./people/entrance/newcomer-page.js').then((module) => ({ default: module.NewcomerPage })),
);

const RETRY_MS = 3_000;
const PRELOAD_AFTER_MS = 2_000;

export function App() {
  const viewer = useStore(viewerStore);
  const { path } = useLocation();
  const [unreachable, setUnreachable] = useState(false);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const find = () =>
      findViewer().then(
        () => setUnreachable(false),
        () => {
          setUnreachable(true);
          timer = setTimeout(find, RETRY_MS);
        },
      );
    void find();
    return () => clearTimeout(timer);
  }, []);

  useEffect(() => {
    if (viewer) liveSocket();
    else closeSocket();
  }, [viewer]);

  useEffect(() => {
    if (!viewer) return;
    // While idle, so that the other pages open instantly, even while the server is unreachable.
    const timer = setTimeout(
      () =>
        void Promise.allSettled([loadTraffic(), loadShop(), loadSystem(), loadPeople(), loadProfile()]).then(
          preloadPages,
        ),
      PRELOAD_AFTER_MS,
    );
    return () => clearTimeout(timer);
  }, [viewer]);

  if (isNewcomerPath(path, viewer)) {
    return (
      <ErrorFence>
        <Suspense fallback={<Blank />}>
          <NewcomerPage path={path} />
        </Suspense>
      </ErrorFence>
    );
  }
  if (viewer === null) return <SignInPage />;
  if (viewer === undefined) return unreachable ? <Unreachable /> : <Blank />;
  return (
    <>
      <Header viewer={viewer} />
      <main id="main" className={styles.main} tabIndex={-1}>
        <ErrorFence key={pageAt(path)?.path ?? path}>
          <Suspense fallback={<SkeletonRows rows={6} height="64px" />}>
            <Page path={path} viewer={viewer} />
          </Suspense>
        </ErrorFence>
      </main>
    </>
  );
}

const Blank = () => <div aria-hidden="true" className={styles.blank} />;

function Page({ path, viewer }: { path: string; viewer: Viewer }) {
  const entry = pageAt(path);
  if (entry && !hasRole(viewer, entry.role)) return path === '/' ? <Welcome /> : <NotForYou entry={entry} />;
  switch (path) {
    case '/':
    case '/traffic/requests':
    case '/traffic/sessions':
    case '/traffic/growth':
      return <TrafficSection />;
    case '/commerce':
    case '/commerce/categories':
    case '/commerce/carts':
    case '/commerce/till':
    case '/commerce/orders':
    case '/commerce/accounts':
    case '/commerce/recovery':
      return <ShopSection />;
    case '/system':
    case '/system/shards':
      return <SystemSection />;
    case '/people':
    case '/people/keys':
    case '/people/audit':
      return <PeopleSection />;
    case '/profile':
      return <ProfilePage viewer={viewer} />;
    default:
      return (
        <>
          <h1 className="hidden">Not found</h1>
          <Empty icon="search" title="Page not found" action={<Link href="/">Go to the home page</Link>}>
            {path} is not a page of this dashboard.
          </Empty>
        </>
      );
  }
}

/** Pages for visitors who cannot sign in. Three of them are link targets that signed-in users may open as well. */
function isNewcomerPath(path: string, viewer: Viewer | null | undefined): boolean {
  if (path === '/invitation' || path === '/confirm' || path === '/reset') return true;
  return viewer === null && (path === '/sign-up' || path === '/forgot' || path === '/goodbye');
}

function Unreachable() {
  return (
    <main className={styles.unreachable}>
      <Notice tone="bad">
        The server cannot be reached. This page retries every {RETRY_MS / 1000} seconds and opens when it responds.
      </Notice>
    </main>
  );
}

/** Browsers identify a module that could not be fetched only by its message. */
const isLoadFailure = ({ message }: Error) => /dynamically imported|preload|module script/i.test(message);

/** Keeps an error in one page from taking down the frame. */
class ErrorFence extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state = { error: null as Error | null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    if (!this.state.error) return this.props.children;
    return (
      <Notice
        tone="bad"
        action={
          <button type="button" className="button" onClick={() => window.location.reload()}>
            Reload the page
          </button>
        }
      >
        {isLoadFailure(this.state.error)
          ? 'This page could not be loaded. The server is unreachable, or was updated since you opened the dashboard.'
          : `Something went wrong on this page: ${this.state.error.message}`}
      </Notice>
    );
  }
}
