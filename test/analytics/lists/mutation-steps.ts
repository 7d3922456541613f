/** The mutations of analytics, except those that need a file or an import. Each step needs the previous ones. */
import type { MutationStep } from '../../support/domain/mutation-step.js';

export const mutationSteps: readonly MutationStep[] = [
  { mutation: 'registerSite', text: () => '(input: { host: "a.example.org" }) { __typename }' },
  { mutation: 'changeSiteOrigins', text: () => '(host: "a.example.org", allowedOrigins: []) { __typename }' },
  {
    mutation: 'recordHit',
    text: () => '(hit: { site: "a.example.org", page: "/" }, durability: MAJORITY) { recorded }',
  },
  {
    mutation: 'recordHits',
    text: () => '(hits: [{ site: "a.example.org", page: "/" }], durability: JOURNALED) { recorded }',
  },
  {
    mutation: 'recordEvents',
    text: () =>
      '(events: [{ site: "a.example.org", time: "2026-01-05T00:00:00Z", host: "192.0.2.1", path: "/", status: 200 }], durability: MAJORITY) { inserted }',
  },
  { mutation: 'changeLogGrowth', text: () => '(input: { strategy: TTL, maxAge: "P3650D" }) { __typename }' },
  {
    mutation: 'recordSessions',
    text: () => '(sessions: [{ userId: "ann", at: "2026-01-05T00:00:00Z", length: 10 }]) { recorded }',
  },
  { mutation: 'rollUp', text: () => '(cutoff: "PT0S") { level }' },
];
