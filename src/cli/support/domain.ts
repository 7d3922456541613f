/** Commands that work on the data of one domain. */
import { type Config, ConfigError } from '../../config/config.js';

/** @throws ConfigError the domain is off: its data would be created in a database whose servers do not serve it */
export function requireDomain({ DOMAINS }: Config, name: string): void {
  if (!DOMAINS.includes(name)) throw new ConfigError(`DOMAINS: does not include ${name}, which this command requires`);
}
