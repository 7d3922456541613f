/** Where the product that is measured differs from what is shipped, and why. All else is as shipped; RESULTS.md has this list. */
import type { MeasuredSettings } from '../test/support/exceptions.js';

export interface Exception {
  readonly setting: string;
  readonly value: string;
  readonly reason: string;
  /** The benchmark that it is for; left out: all. */
  readonly only?: string;
}

const ONE_ADDRESS = 'All clients of a benchmark are at one address';

export const exceptions: readonly Exception[] = [
  { setting: 'NODE_ENV', value: 'production', reason: 'As people run it' },
  { setting: 'LOG_LEVEL', value: 'info', reason: 'A line for each request is written, as many people have it' },
  { setting: 'ACCESS_TOKEN_SECONDS', value: '86400', reason: 'Clients sign in once for a run' },
  { setting: 'MAX_SOCKETS', value: '20000', reason: 'Subscribers are up to 10,000, and their sockets twice as many' },
  { setting: 'MAX_SOCKETS_PER_ADDRESS', value: '20000', reason: ONE_ADDRESS },
  { setting: 'MAX_REQUESTS_PER_MINUTE', value: '100000000', reason: ONE_ADDRESS },
  { setting: 'MAX_BEACON_REQUESTS_PER_MINUTE', value: '100000000', reason: ONE_ADDRESS },
  { setting: 'MAX_ADDRESS_COST_PER_MINUTE', value: '1000000000', reason: ONE_ADDRESS },
  { setting: 'MAX_USER_COST_PER_MINUTE', value: '1000000000', reason: 'All of them are one user' },
  {
    setting: 'MAX_WAIT_MS',
    value: '600000',
    reason: 'A server without a gate, for the server with one to be compared with',
    only: 'overload, the contestant without a gate',
  },
];

/** As environment variables: those that hold for all benchmarks. */
export const measuredSettings: MeasuredSettings = settingsOf((exception) => !exception.only);
/** The product without its gate. */
export const withoutGate: MeasuredSettings = settingsOf(({ setting }) => setting === 'MAX_WAIT_MS');

function settingsOf(holds: (exception: Exception) => boolean): MeasuredSettings {
  const settings: unknown = Object.fromEntries(exceptions.filter(holds).map(({ setting, value }) => [setting, value]));
  return settings as MeasuredSettings;
}
