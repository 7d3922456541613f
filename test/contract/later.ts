/** Operations of the contract that belong to later work and need not validate yet. */
export const later: Readonly<Record<string, string>> = {};
