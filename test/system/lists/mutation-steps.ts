/** The mutations of the system. */
import type { MutationStep } from '../../support/domain/mutation-step.js';

export const mutationSteps: readonly MutationStep[] = [
  { mutation: 'checkInvariants', text: () => '{ state }' },
  { mutation: 'recover', text: () => '{ state }' },
  { mutation: 'exportMyData', text: () => '{ state }' },
];
