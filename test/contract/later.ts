/** Operations of the contract that belong to later work: they need not validate yet. */
export const later: Readonly<Record<string, string>> = {
  LogGrowth: 'log growth comes with "Analytics complete"',
  ChangeLogGrowth: 'log growth comes with "Analytics complete"',
};
