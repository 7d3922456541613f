/** The fields of a request in the log. The setting LOG_FIELDS chooses among them. */

/** Always kept, whether or not the setting lists them. */
export const REQUIRED_LOG_FIELDS = ['site', 'time', 'host', 'status'] as const;

export const OPTIONAL_LOG_FIELDS = [
  'logname',
  'user',
  'method',
  'path',
  'page',
  'protocol',
  'bytes',
  'referrer',
  'user_agent',
] as const;

/** The names allowed in the setting. */
export const logFields: readonly string[] = [...REQUIRED_LOG_FIELDS, ...OPTIONAL_LOG_FIELDS];
export const isLogField = (name: string): boolean => logFields.includes(name);
