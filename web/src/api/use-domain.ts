/** Whether the server runs a domain. The schema has no types or fields of a domain that does not run: do not query them. */
import { useStore } from '../kit/base/store.js';
import { domainsStore } from './session.js';

export const useDomain = (name: string): boolean => useStore(domainsStore)?.includes(name) ?? false;
