/** Pages whose scripts are loaded when they are first shown, or preloaded when the browser is idle. */
import { type ComponentType, lazy, type ReactNode, useState } from 'react';

export interface LazyPage {
  (): ReactNode;
  readonly preload: () => Promise<unknown>;
}

/** Once loaded, the page renders immediately, without a fallback frame. */
export function lazyPage(load: () => Promise<ComponentType>): LazyPage {
  let loaded: ComponentType | null = null;
  const preload = async () => {
    loaded = await load();
    return loaded;
  };
  const Lazy = lazy(async () => ({ default: await preload() }));
  function Page() {
    const [Content] = useState(() => loaded ?? Lazy); // stays the same while mounted
    return <Content />;
  }
  return Object.assign(Page, { preload });
}

/** A page that cannot be loaded now is loaded when it is opened. */
export const preloadPages = (pages: readonly LazyPage[]) => Promise.allSettled(pages.map(({ preload }) => preload()));
