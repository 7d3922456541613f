import type { Exemptions } from '../../support/domain/test-domain.js';

export const exemptions: Exemptions = {};
