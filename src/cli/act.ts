/** Who acts, for the audit trail: whoever may run commands needs no account. */
import { hostname } from 'node:os';
import type { Act } from '../models/people/audit.js';
import { DAY_MS } from '../shared/time.js';

/** @param auditDays how long it is remembered */
export function actOfCommand(auditDays: number, at: Date): Act {
  return { actor: 'sextant', address: hostname(), at, keptUntil: new Date(at.getTime() + auditDays * DAY_MS) };
}
