/** Whether the server runs a domain. What belongs to a domain that it does not run is not in its schema: it cannot be asked for. */
import { useStore } from '../kit/base/store.js';
import { domainsStore } from './session.js';

export const useDomain = (name: string): boolean => useStore(domainsStore)?.includes(name) ?? false;
