/** Shared by all floors: settings, and a line that reports the port. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export function environment(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

export function ready(server: Server): void {
  console.log(`READY ${(server.address() as AddressInfo).port}`);
}
