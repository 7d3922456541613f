import { addressBlock } from '../shared/address-block.js';
import type { Viewer } from './viewer.js';

/** One text for all that a viewer has open: as many as idle subscribers. */
const known = new WeakMap<Viewer, string>();

/** Whose share of this process's memory and work something takes: the person's or the key's; a visitor's by the address. */
export function accountOf(viewer: Viewer, address: string): string {
  const { id, keyId } = viewer;
  if (id === null && keyId === null) return `address ${addressBlock(address)}`;
  const name = known.get(viewer) ?? (keyId === null ? `person ${id}` : `key ${keyId}`);
  known.set(viewer, name);
  return name;
}
