/** What the server prints when it is ready. */

export interface Welcome {
  /** The URL at which browsers reach the server, without a trailing slash. */
  readonly address: string;
  /** Where the data is stored. */
  readonly data: string;
  readonly graphiql: boolean;
  /** On the first start only. */
  readonly administrator: { readonly email: string; readonly password: string | null } | null;
}

export function describeWelcome({ address, data, graphiql, administrator }: Welcome): string {
  const lines: [string, string][] = [['Dashboard', `${address}/`]];
  if (graphiql) lines.push(['GraphiQL', `${address}/graphiql`]);
  lines.push(['Endpoint', `${address}/graphql`], ['Data', data]);
  if (administrator) {
    lines.push(['Administrator', administrator.email]);
    const password = administrator.password ?? 'as in ADMIN_PASSWORD';
    lines.push(['Password', administrator.password ? `${password}   (shown only once)` : password]);
  }
  return `\nSextant is ready\n\n${lines.map(([name, value]) => `  ${name.padEnd(15)}${value}`).join('\n')}\n\n`;
}
