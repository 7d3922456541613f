/** Every mutation once, through the API, by permitted users, except those that need a file, an import or a mail. */
export const euros = (amount: number) => `{ amount: ${amount}, currency: "EUR" }`;
const PASSWORD = 'correct horse battery staple';
const ANN = `email: "ann@example.org", password: "${PASSWORD}"`;

/** Results of earlier steps. */
export interface Known {
  [name: string]: string;
}

export interface Step {
  readonly mutation: string;
  /** The mutation's arguments and selection. */
  readonly text: (known: Known) => string;
  /** The parts of the result that later steps need. */
  readonly tells?: (field: Readonly<Record<string, string>>) => Known;
  /** The caller; default: the administrator. */
  readonly as?: 'visitor' | 'ann';
  /** Not recorded in the audit trail: the caller's own money, or a new product. */
  readonly isUntold?: true;
}

/** In this order: each step needs the previous ones. */
export const steps: readonly Step[] = [
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
  { mutation: 'checkInvariants', text: () => '{ state }' },
  { mutation: 'recover', text: () => '{ state }' },
  { mutation: 'addCategory', text: () => '(input: { name: "Music", slug: "music" }) { __typename }' },
  { mutation: 'addCategory', text: () => '(input: { name: "Jazz", slug: "jazz" }) { __typename }' },
  { mutation: 'moveCategory', text: () => '(slug: "jazz", under: "music") { __typename }' },
  { mutation: 'renameCategory', text: () => '(slug: "jazz", name: "Cool jazz") { __typename }' },
  { mutation: 'removeCategory', text: () => '(slug: "jazz") { __typename }' },
  {
    mutation: 'saveProducts',
    text: () => `(products: [{ sku: "A", title: "A thing", type: "THING", price: ${euros(100)} }]) { saved }`,
    isUntold: true,
  },
  {
    mutation: 'saveProducts',
    text: () => `(products: [{ sku: "A", title: "A thing", type: "THING", price: ${euros(120)} }]) { saved }`,
  },
  { mutation: 'restock', text: () => '(sku: "A", quantity: 10, idempotencyKey: "restock") { available }' },
  {
    mutation: 'openAccount',
    text: () => `(input: { openingBalance: ${euros(10_000)} }) { id }`,
    tells: ({ id }) => ({ from: String(id) }),
  },
  {
    mutation: 'openAccount',
    text: () => `(input: { owner: "Petty cash", openingBalance: ${euros(10_000)} }) { id }`,
    tells: ({ id }) => ({ to: String(id) }),
  },
  {
    mutation: 'transfer',
    text: ({ from, to }) =>
      `(from: "${from}", to: "${to}", amount: ${euros(5)}, idempotencyKey: "pay") { ... on Transfer { id } }`,
    tells: ({ id }) => ({ moved: String(id) }),
    isUntold: true,
  },
  {
    mutation: 'reverseTransfer',
    text: ({ moved }) => `(id: "${moved}", idempotencyKey: "undo") { __typename }`,
  },
  {
    mutation: 'transfer',
    text: ({ from, to }) =>
      `(from: "${to}", to: "${from}", amount: ${euros(5)}, idempotencyKey: "back") { __typename }`,
  },
  { mutation: 'startCart', text: () => '{ id }', tells: ({ id }) => ({ cart: String(id) }), as: 'visitor' },
  { mutation: 'addToCart', text: ({ cart }) => `(cartId: "${cart}", sku: "A", quantity: 3) { __typename }` },
  { mutation: 'changeQuantity', text: ({ cart }) => `(cartId: "${cart}", sku: "A", quantity: 2) { __typename }` },
  { mutation: 'removeFromCart', text: ({ cart }) => `(cartId: "${cart}", sku: "A") { __typename }` },
  { mutation: 'addToCart', text: ({ cart }) => `(cartId: "${cart}", sku: "A", quantity: 1) { __typename }` },
  {
    mutation: 'checkOut',
    text: ({ cart, to }) =>
      `(cartId: "${cart}", payment: { account: "${to}" }, idempotencyKey: "out") { ... on Order { id } }`,
    tells: ({ id }) => ({ order: String(id) }),
  },
  { mutation: 'raiseOrderQuantity', text: ({ order }) => `(orderId: "${order}", sku: "A", by: 1) { __typename }` },
  { mutation: 'refundOrder', text: ({ order }) => `(orderId: "${order}") { __typename }` },
  { mutation: 'deleteOrder', text: ({ order }) => `(orderId: "${order}") { __typename }` },
  {
    mutation: 'createApiKey',
    text: () => '(input: { name: "Key", scopes: [HITS_WRITE] }) { apiKey { id } }',
    tells: ({ apiKey }) => ({ key: (apiKey as unknown as Known).id ?? '' }),
  },
  { mutation: 'revokeApiKey', text: ({ key }) => `(id: "${key}") { id }` },
  {
    mutation: 'invite',
    text: () => '(input: { email: "bob@example.org" }) { ... on Invited { link } }',
    tells: ({ link }) => ({ invitation: link?.split('#')[1] ?? '' }),
  },
  {
    mutation: 'acceptInvitation',
    text: ({ invitation }) =>
      `(input: { token: "${invitation}", name: "Bob", password: "${PASSWORD}" }) { __typename }`,
    as: 'visitor',
  },
  {
    mutation: 'invite',
    text: () => '(input: { email: "cid@example.org" }) { ... on Invited { invitation { id } } }',
    tells: ({ invitation }) => ({ invited: (invitation as unknown as Known).id ?? '' }),
  },
  { mutation: 'withdrawInvitation', text: ({ invited }) => `(id: "${invited}") { withdrawn }` },
  {
    mutation: 'signUp',
    text: () => `(input: { ${ANN}, name: "Ann" }) { ... on SignedIn { viewer { id } } }`,
    tells: ({ viewer }) => ({ ann: (viewer as unknown as Known).id ?? '' }),
    as: 'visitor',
  },
  { mutation: 'grantRole', text: ({ ann }) => `(userId: "${ann}", role: EDITOR) { id }` },
  { mutation: 'revokeRole', text: ({ ann }) => `(userId: "${ann}", role: EDITOR) { id }` },
  {
    mutation: 'signIn',
    text: () => `(${ANN}) { ... on SignedIn { accessToken refreshToken } }`,
    tells: ({ accessToken, refreshToken }) => ({ annToken: String(accessToken), refreshToken: String(refreshToken) }),
    as: 'visitor',
  },
  { mutation: 'changeName', text: () => '(name: "Anna") { id }', as: 'ann' },
  {
    mutation: 'changePassword',
    text: () => `(password: "${PASSWORD}", newPassword: "${PASSWORD}!") { __typename }`,
    as: 'ann',
  },
  {
    mutation: 'signIn',
    text: () => `(email: "ann@example.org", password: "${PASSWORD}!") { ... on SignedIn { accessToken refreshToken } }`,
    tells: ({ accessToken, refreshToken }) => ({ annToken: String(accessToken), refreshToken: String(refreshToken) }),
    as: 'visitor',
  },
  {
    mutation: 'refresh',
    text: ({ refreshToken }) => `(refreshToken: "${refreshToken}") { ... on SignedIn { accessToken } }`,
    tells: ({ accessToken }) => ({ annToken: String(accessToken) }),
    as: 'visitor',
  },
  { mutation: 'signOut', text: () => '{ signedOut }', as: 'ann' },
  {
    mutation: 'signIn',
    text: () => `(email: "ann@example.org", password: "${PASSWORD}!") { ... on SignedIn { accessToken } }`,
    tells: ({ accessToken }) => ({ annToken: String(accessToken) }),
    as: 'visitor',
  },
  { mutation: 'deleteAccount', text: () => `(password: "${PASSWORD}!") { __typename }`, as: 'ann' },
  {
    mutation: 'signUp',
    text: () =>
      `(input: { email: "dan@example.org", password: "${PASSWORD}", name: "Dan" }) { ... on SignedIn { viewer { id } } }`,
    tells: ({ viewer }) => ({ dan: (viewer as unknown as Known).id ?? '' }),
    as: 'visitor',
  },
  { mutation: 'deleteUser', text: ({ dan }) => `(userId: "${dan}") { __typename }` },
];
