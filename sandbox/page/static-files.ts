/** The page's own files, its webfonts, and the headers that keep the page to itself. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { Refusal } from './refusal.ts';

const ASSETS = join(import.meta.dirname, 'assets');
const SAMPLES = join(import.meta.dirname, '../samples');
/** Under `/fonts/`: what machines often lack. A browser fetches only the parts of a font that the page shows. */
const FONTS = {
  'noto-serif-tibetan': '@fontsource/noto-serif-tibetan/index.css',
  'noto-sans-sc': '@fontsource-variable/noto-sans-sc/index.css',
  twemoji: 'twemoji-colr-font/twemoji.css',
};

/** Nothing from elsewhere, no inline script, no inline style; `blob:` is the preview of files to be sent. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Adds the files under `/`, `/samples/` and `/fonts/`, and the security headers to every answer. */
export async function addStaticFiles(app: FastifyInstance): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    reply
      .header('content-security-policy', POLICY)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('cross-origin-opener-policy', 'same-origin');
    // Another site that a browser has open must not act here.
    const { origin, host } = request.headers;
    if (origin !== undefined && URL.parse(origin)?.host !== host)
      throw new Refusal(403, 'Only the page itself may act here');
  });
  await app.register(fastifyStatic, { root: ASSETS, cacheControl: false });
  await app.register(fastifyStatic, { root: SAMPLES, prefix: '/samples/', decorateReply: false });
  for (const [name, sheet] of Object.entries(FONTS)) {
    const root = dirname(fileURLToPath(import.meta.resolve(sheet)));
    await app.register(fastifyStatic, {
      root,
      prefix: `/fonts/${name}/`,
      decorateReply: false,
      maxAge: '1d',
    });
  }
}
