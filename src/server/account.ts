import { addressBlock } from '../shared/address-block.js';
import type { Viewer } from './viewer.js';

/** Whose share of this process's memory and work something takes: the person's or the key's; a visitor's by the address. */
export function accountOf({ id, keyId }: Viewer, address: string): string {
  if (keyId !== null) return `key ${keyId}`;
  return id === null ? `address ${addressBlock(address)}` : `person ${id}`;
}
