/** A key that nobody else has, for a request that must not have its effect twice. Not `randomUUID`, which pages without TLS are not given. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
