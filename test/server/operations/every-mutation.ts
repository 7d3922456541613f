/** Every mutation once, through the API, by permitted users, except those that need a file, an import or an email. */
import { domains } from '../../domains.js';
import type { MutationStep } from '../../support/domain/mutation-step.js';

/** In this order: each step needs the previous ones of its domain. */
export const steps: readonly MutationStep[] = (
  await Promise.all(domains.map((domain) => domain.mutationSteps?.() ?? []))
).flat();
