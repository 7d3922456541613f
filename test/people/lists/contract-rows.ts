/** The contract's operations of people: the first rows, on an empty database. */
import { expect } from 'vitest';
import { administrator } from '../../../harness/product.js';
import type { Row } from '../../contract/row.js';

const text = expect.any(String);
const signedIn = { __typename: 'SignedIn', accessToken: text, accessTokenExpiresAt: text, refreshToken: text };
const member = { email: 'ann@example.org', name: 'Ann' };
const viewer = { id: text, email: administrator.email, name: text, roles: ['ADMIN'] };

export const contractRows: readonly Row[] = [
  {
    operation: 'SignIn',
    variables: administrator,
    visitor: true,
    expected: { signIn: { ...signedIn, viewer } },
    tells: ({ signIn }: { signIn: { refreshToken: string } }) => ({ refreshToken: signIn.refreshToken }),
  },
  { operation: 'Viewer', variables: {}, expected: { viewer } },
  {
    operation: 'Refresh',
    variables: ({ refreshToken }) => ({ refreshToken }),
    visitor: true,
    expected: { refresh: signedIn },
  },
  { operation: 'SignOut', variables: {}, visitor: true, expected: { signOut: { signedOut: false } } },
  {
    operation: 'SignUp',
    variables: { input: { ...member, password: 'correct horse battery staple' } },
    visitor: true,
    expected: { signUp: { ...signedIn, viewer: { ...member, id: text, roles: ['MEMBER'] } } },
    tells: ({ signUp }: { signUp: { accessToken: string; viewer: { id: string } } }) => ({
      memberId: signUp.viewer.id,
      memberToken: signUp.accessToken,
    }),
  },
  {
    operation: 'GrantRole',
    variables: ({ memberId }) => ({ userId: memberId, role: 'EDITOR' }),
    expected: { grantRole: { id: text, roles: ['MEMBER', 'EDITOR'] } },
  },
  {
    operation: 'RevokeRole',
    variables: ({ memberId }) => ({ userId: memberId, role: 'EDITOR' }),
    expected: { revokeRole: { id: text, roles: ['MEMBER'] } },
  },
  {
    operation: 'People',
    variables: {},
    expected: {
      people: {
        edges: [
          { node: { ...viewer, createdAt: text } },
          { node: { ...member, id: text, roles: ['MEMBER'], createdAt: text } },
        ],
        pageInfo: { hasNextPage: false, endCursor: text },
      },
    },
  },
  {
    operation: 'CreateApiKey',
    variables: { input: { name: 'Counter', scopes: ['HITS_WRITE'] } },
    expected: {
      createApiKey: {
        key: expect.stringMatching(/^sxt_[\w-]{43}$/),
        apiKey: { id: text, name: 'Counter', scopes: ['HITS_WRITE'], createdAt: text },
      },
    },
    tells: ({ createApiKey }: { createApiKey: { apiKey: { id: string } } }) => ({ keyId: createApiKey.apiKey.id }),
  },
  {
    operation: 'RevokeApiKey',
    variables: ({ keyId }) => ({ id: keyId }),
    expected: { revokeApiKey: { id: text, revokedAt: text } },
  },
  {
    operation: 'ApiKeys',
    variables: {},
    expected: {
      apiKeys: [
        { id: text, name: 'Counter', scopes: ['HITS_WRITE'], createdAt: text, lastUsedAt: null, revokedAt: text },
      ],
    },
  },
  {
    operation: 'AuditTrail',
    variables: {},
    expected: {
      auditTrail: {
        edges: [
          ['API_KEY_REVOKED', 'Counter'],
          ['API_KEY_CREATED', 'Counter'],
          ['ROLE_REVOKED', member.email],
          ['ROLE_GRANTED', member.email],
        ].map(([action, subject]) => ({
          node: { at: text, actor: administrator.email, action, subject, address: '127.0.0.1' },
        })),
        pageInfo: { hasNextPage: false, endCursor: text },
      },
    },
  },
];
