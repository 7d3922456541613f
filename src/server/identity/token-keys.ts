/** The keys that sign access tokens: HS256 with a secret, or EdDSA with an Ed25519 key, as configured. */
import { createHash, createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import type { Config } from '../../config/config.js';
import { loadTokenSecret } from './token-secret.js';

export interface TokenKeys {
  /** The only accepted algorithm, whatever a token claims. */
  readonly algorithm: 'HS256' | 'EdDSA';
  readonly signing: KeyObject;
  readonly verifying: KeyObject;
  /** Seals refresh tokens (`RefreshTokenSeal`). */
  readonly sealSecret: string;
}

export async function loadTokenKeys(config: Config): Promise<TokenKeys> {
  if (config.TOKEN_PRIVATE_KEY) return edwardsKeys(config.TOKEN_PRIVATE_KEY);
  return secretKeys(await loadTokenSecret(config));
}

export function secretKeys(secret: string): TokenKeys {
  const key = createSecretKey(secret, 'utf8');
  return { algorithm: 'HS256', signing: key, verifying: key, sealSecret: secret };
}

/** @param pem an Ed25519 private key, PKCS #8 */
export function edwardsKeys(pem: string): TokenKeys {
  const signing = createPrivateKey(pem);
  const der = signing.export({ type: 'pkcs8', format: 'der' });
  const sealSecret = createHash('sha256').update('refresh-token-seal').update(der).digest('base64url');
  return { algorithm: 'EdDSA', signing, verifying: createPublicKey(signing), sealSecret };
}
