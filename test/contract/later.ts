/** Operations of the contract that belong to later work: they need not validate yet. */
export const later: Readonly<Record<string, string>> = {
  LogGrowth: 'log growth comes with "Analytics complete"',
  ChangeLogGrowth: 'log growth comes with "Analytics complete"',
  ShardAdvice: 'log growth comes with "Analytics complete"',
  RecordSessions: 'sessions and roll-ups come with "Analytics complete"',
  RollUp: 'sessions and roll-ups come with "Analytics complete"',
  SessionStats: 'sessions and roll-ups come with "Analytics complete"',
  LiveSessionStats: 'sessions and roll-ups come with "Analytics complete"',
  SignUp: 'comes with "People, programs and the envelope"',
  GrantRole: 'comes with "People, programs and the envelope"',
  RevokeRole: 'comes with "People, programs and the envelope"',
  People: 'comes with "People, programs and the envelope"',
  CreateApiKey: 'comes with "People, programs and the envelope"',
  RevokeApiKey: 'comes with "People, programs and the envelope"',
  ApiKeys: 'comes with "People, programs and the envelope"',
  AuditTrail: 'comes with "People, programs and the envelope"',
};
