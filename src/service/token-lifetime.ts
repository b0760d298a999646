/** Reads when a token expires from a field whose unit and meaning the service does not document (service-interface §2.1). */
import { z } from 'zod';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The default validity (service-interface §2.1). */
const DEFAULT_LIFETIME_MS = 30 * DAY_MS;
/** Longer readings are implausible; one day of slack on the default. */
const LONGEST_LIFETIME_MS = DEFAULT_LIFETIME_MS + DAY_MS;

/**
 * When `token` expires, in ms since the epoch: the earlier of what `expires` (or `expires_in`) and the token itself, if it is a JWT, say;
 * 30 days from `now` if neither is readable. A time too early costs one exchange, which is free; a time too late costs a try.
 */
export function expiryOf(token: string, expires: unknown, now: number): number {
  const readings = [readExpires(expires, now), readJwtExpiry(token, now)].filter((at) => at !== undefined);
  return readings.length === 0 ? now + DEFAULT_LIFETIME_MS : Math.min(...readings);
}

/**
 * The value's size relative to `now` decides between four readings; the first that gives a lifetime of up to 31 days wins: a date in ms
 * (about 10¹²), a date in s (about 10⁹), a remaining lifetime in s (30 days are 2.6 · 10⁶), or one in ms (30 days are 2.6 · 10⁹, as a date
 * in s 50 years away or more). They overlap only for lifetimes in ms around 20 days and below 45 minutes; such a token is kept too long,
 * until error 110 says so.
 */
function readExpires(expires: unknown, now: number): number | undefined {
  const value = number.safeParse(expires).data;
  if (value === undefined) return undefined;
  return [value, value * 1000, now + value * 1000, now + value].find((at) => isPlausible(at, now));
}

/** `exp` of a JWT: seconds since the epoch (RFC 7519 §4.1.4). Only the service checks the signature. */
function readJwtExpiry(token: string, now: number): number | undefined {
  const payload = token.split('.')[1];
  if (payload === undefined) return undefined;
  try {
    const { exp } = claims.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
    return isPlausible(exp * 1000, now) ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}

function isPlausible(at: number, now: number): boolean {
  return at > now && at <= now + LONGEST_LIFETIME_MS;
}

const number = z.union([
  z.number(),
  z
    .string()
    .trim()
    .regex(/^\d+(\.\d+)?$/)
    .transform(Number),
]);
const claims = z.object({ exp: z.number() });
