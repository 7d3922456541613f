/** Where the measured product differs from the shipped defaults, and why. RESULTS.md contains this list. */
import type { MeasuredSettings } from '../../harness/exceptions.js';

export interface Exception {
  readonly setting: string;
  readonly value: string;
  readonly reason: string;
  /** The benchmark it applies to. Default: all. */
  readonly only?: string;
}

const ONE_ADDRESS = 'All clients of a benchmark have one address';

export const exceptions: readonly Exception[] = [
  { setting: 'NODE_ENV', value: 'production', reason: 'As people run it' },
  { setting: 'LOG_LEVEL', value: 'info', reason: 'One log line per request, a common setting' },
  { setting: 'ACCESS_TOKEN_SECONDS', value: '86400', reason: 'Clients sign in once per run' },
  { setting: 'MAX_SOCKETS', value: '20000', reason: 'Up to 5,000 subscribers, each on its own socket' },
  { setting: 'MAX_SOCKETS_PER_ADDRESS', value: '20000', reason: ONE_ADDRESS },
  { setting: 'MAX_REQUESTS_PER_MINUTE', value: '100000000', reason: ONE_ADDRESS },
  { setting: 'MAX_BEACON_REQUESTS_PER_MINUTE', value: '100000000', reason: ONE_ADDRESS },
  { setting: 'MAX_ADDRESS_COST_PER_MINUTE', value: '1000000000', reason: ONE_ADDRESS },
  { setting: 'MAX_USER_COST_PER_MINUTE', value: '1000000000', reason: 'All clients are one user' },
  {
    setting: 'MAX_WAIT_MS',
    value: '600000',
    reason: 'The baseline without an overload gate',
    only: 'overload, contestant without a gate',
  },
];

/** As environment variables: those that apply to all benchmarks. */
export const measuredSettings: MeasuredSettings = settingsOf((exception) => !exception.only);
/** The product without its gate. */
export const withoutGate: MeasuredSettings = settingsOf(({ setting }) => setting === 'MAX_WAIT_MS');

function settingsOf(holds: (exception: Exception) => boolean): MeasuredSettings {
  const settings: unknown = Object.fromEntries(exceptions.filter(holds).map(({ setting, value }) => [setting, value]));
  return settings as MeasuredSettings;
}
