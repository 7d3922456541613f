/** Pages whose scripts are loaded when they are first shown, or when there is nothing else to do. */
import { type ComponentType, lazy, useState } from 'react';

const loads: (() => Promise<unknown>)[] = [];

/** Of a section. Once it is loaded it is shown at once, without a frame of waiting. */
export function lazyPage(load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | null = null;
  const get = async () => {
    loaded = await load();
    return loaded;
  };
  const Lazy = lazy(async () => ({ default: await get() }));
  loads.push(get);
  return function LazyPage() {
    const [Content] = useState(() => loaded ?? Lazy); // the same as long as it stands there
    return <Content />;
  };
}

/** All pages of the sections that have been loaded. */
export const preloadPages = () => Promise.allSettled(loads.map((load) => load()));
