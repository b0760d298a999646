/** Getting updates: long polling and the webhook. */
import { z } from 'zod';
import { badRequest, conflict } from '../api-error.ts';
import { type Methods, method } from '../method.ts';
import type { AnyUpdateKind } from '../objects.ts';
import { flag, integer, json, text } from '../parameters.ts';

/** The kinds that may be asked for; unknown ones are ignored. */
const KINDS = [
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'business_connection',
  'business_message',
  'edited_business_message',
  'deleted_business_messages',
  'guest_message',
  'stopped_message_generation',
  'message_reaction',
  'message_reaction_count',
  'inline_query',
  'chosen_inline_result',
  'callback_query',
  'shipping_query',
  'pre_checkout_query',
  'purchased_paid_media',
  'poll',
  'poll_answer',
  'my_chat_member',
  'chat_member',
  'chat_join_request',
  'chat_boost',
  'removed_chat_boost',
  'managed_bot',
  'subscription',
] as const satisfies readonly AnyUpdateKind[];

const allowedUpdates = json(
  z.array(z.string(), { error: 'expected an Array of strings' }),
  "can't parse allowed_updates JSON object",
)
  .transform((asked) => KINDS.filter((kind) => asked.includes(kind)))
  .optional();

/** Telegram holds a poll for at most 50 s. */
const MAX_POLL = 50;

const getUpdates = method(
  {
    offset: integer('offset is invalid').default(0),
    limit: integer('limit is invalid').default(100),
    timeout: integer('timeout is invalid').default(0),
    allowed_updates: allowedUpdates,
  },
  ({ core, webhook, signal }, { offset, limit, timeout, allowed_updates }) => {
    if (webhook.settings)
      throw conflict(
        "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    core.updates.allow(allowed_updates);
    return core.updates.poll({
      offset,
      limit: limit < 1 || limit > 100 ? 100 : limit,
      timeout: Math.min(timeout, MAX_POLL),
      signal,
    });
  },
);

const setWebhook = method(
  {
    url: text.default(''),
    secret_token: text.optional(),
    max_connections: integer('max_connections is invalid').default(40),
    allowed_updates: allowedUpdates,
    drop_pending_updates: flag.default(false),
  },
  ({ core, webhook }, { url, secret_token, max_connections, allowed_updates, drop_pending_updates }) => {
    if (drop_pending_updates) core.updates.clear();
    if (url === '') {
      webhook.remove();
      return true;
    }
    checkWebhookUrl(url);
    if (secret_token !== undefined && !/^[A-Za-z0-9_-]{1,256}$/.test(secret_token))
      throw badRequest('secret token contains unallowed characters');
    core.updates.allow(allowed_updates);
    core.updates.interrupt('setWebhook request');
    webhook.set({
      url,
      secretToken: secret_token,
      maxConnections: Math.min(100, Math.max(1, max_connections)),
    });
    return true;
  },
);

/** Telegram takes https alone; here also http on loopback, as a self-hosted Bot API server does. */
function checkWebhookUrl(url: string): void {
  const parsed = URL.parse(url);
  if (!parsed) throw badRequest('bad webhook: invalid URL specified');
  const local = ['127.0.0.1', 'localhost', '[::1]'].includes(parsed.hostname);
  if (parsed.protocol !== 'https:' && !(local && parsed.protocol === 'http:'))
    throw badRequest('bad webhook: An HTTPS URL must be provided for webhook');
  if (!local && !['', '443', '80', '88', '8443'].includes(parsed.port))
    throw badRequest('bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443');
}

const deleteWebhook = method(
  { drop_pending_updates: flag.default(false) },
  ({ core, webhook }, { drop_pending_updates }) => {
    if (drop_pending_updates) core.updates.clear();
    webhook.remove();
    return true;
  },
);

const getWebhookInfo = method({}, ({ core, webhook: { settings, lastError } }) => ({
  url: settings?.url ?? '',
  has_custom_certificate: false,
  pending_update_count: core.updates.pending.length,
  ...(lastError && { last_error_date: lastError.date, last_error_message: lastError.message }),
  ...(settings && { max_connections: settings.maxConnections, ip_address: '127.0.0.1' }),
  ...(core.updates.allowed && { allowed_updates: core.updates.allowed }),
}));

export const updateMethods: Methods = { getUpdates, setWebhook, deleteWebhook, getWebhookInfo };
