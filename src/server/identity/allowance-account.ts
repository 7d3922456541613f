import { addressBlock } from '../../shared/address-block.js';
import type { Viewer } from './viewer.js';

/** One string for everything a viewer has open: there may be thousands of idle subscribers. */
const known = new WeakMap<Viewer, string>();

/** The account that memory and work in this process count against: a user's, a key's, or for visitors the address's. */
export function accountOf(viewer: Viewer, address: string): string {
  const { id, keyId } = viewer;
  if (id === null && keyId === null) return `address ${addressBlock(address)}`;
  const name = known.get(viewer) ?? (keyId === null ? `person ${id}` : `key ${keyId}`);
  known.set(viewer, name);
  return name;
}
