/** The actor of a command in the audit trail. Commands need no account. */
import { hostname } from 'node:os';
import type { Act } from '../../models/people/audit.js';
import { DAY_MS } from '../../shared/time.js';

/** @param auditDays how long the entry is kept */
export function actOfCommand(auditDays: number, at: Date): Act {
  return { actor: 'sextant', address: hostname(), at, keptUntil: new Date(at.getTime() + auditDays * DAY_MS) };
}
