/** Pages whose scripts are loaded when they are first shown, or preloaded when the browser is idle. */
import { type ComponentType, lazy, useState } from 'react';

const loads: (() => Promise<unknown>)[] = [];

/** A lazily loaded page of a section. Once loaded, it renders immediately, without a fallback frame. */
export function lazyPage(load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | null = null;
  const get = async () => {
    loaded = await load();
    return loaded;
  };
  const Lazy = lazy(async () => ({ default: await get() }));
  loads.push(get);
  return function LazyPage() {
    const [Content] = useState(() => loaded ?? Lazy); // stays the same while mounted
    return <Content />;
  };
}

/** Preloads all pages of the sections that have been loaded. */
export const preloadPages = () => Promise.allSettled(loads.map((load) => load()));
