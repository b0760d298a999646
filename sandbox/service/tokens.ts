/** Access tokens: issuing them, and knowing those that still hold (service-interface §2.1, §5). */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';

export class Tokens {
  readonly #expiry = new Map<string, number>();
  readonly #signingKey = randomBytes(32);

  /** A new token of three dot-separated parts that holds until `expiresAt` (ms since 1970), and says so as a JWT. */
  issue(expiresAt: number): string {
    const token = this.#jwt(expiresAt);
    this.#expiry.set(token, expiresAt);
    return token;
  }

  /** True for a token that was issued, has not run out and was not revoked. */
  accepts(token: string): boolean {
    return Date.now() < (this.#expiry.get(token) ?? 0);
  }

  /** Forgets every token issued so far. */
  revokeAll(): void {
    this.#expiry.clear();
  }

  #jwt(expiresAt: number): string {
    const claims = { jti: randomUUID(), exp: Math.floor(expiresAt / 1000) };
    const signed = `${jsonPart({ alg: 'HS256', typ: 'JWT' })}.${jsonPart(claims)}`;
    return `${signed}.${createHmac('sha256', this.#signingKey).update(signed).digest('base64url')}`;
  }
}

function jsonPart(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
