/** The bot's reactions to messages. */
import { z } from 'zod';
import { badRequest } from '../api-error.ts';
import { type Methods, method } from '../method.ts';
import { chatIdOrName, integer, json } from '../parameters.ts';
import { openRoom } from './permission.ts';

/** The emoji that a reaction can be (Bot API, ReactionTypeEmoji). */
const EMOJI = new Set(
  '❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡'.split(
    ' ',
  ),
);

const reactionType = z.looseObject(
  {
    type: z.enum(['emoji', 'custom_emoji', 'paid'], {
      error: ({ input }) =>
        `can't parse ReactionType: ${input === undefined ? 'Can\'t find field "type"' : 'Unsupported type specified'}`,
    }),
    emoji: z.string().optional(),
  },
  { error: "can't parse ReactionType: expected an Object" },
);

const setMessageReaction = method(
  {
    chat_id: chatIdOrName,
    message_id: integer('message identifier is not specified'),
    reaction: json(
      z.array(reactionType, { error: 'expected an Array of ReactionType' }),
      "can't parse reaction types JSON object",
    ).default([]),
  },
  (context, { chat_id, message_id, reaction }) => {
    const { chat, log } = openRoom(context, chat_id);
    if (!log.get(message_id)) throw badRequest('message to react not found');
    if (reaction.length > 1) throw badRequest('REACTIONS_TOO_MANY');
    for (const { type, emoji } of reaction)
      if (type !== 'emoji' || !EMOJI.has((emoji ?? '').replaceAll('\uFE0F', '')))
        throw badRequest('REACTION_INVALID');
    const fromId = context.core.bot.id;
    log.react(message_id, fromId, reaction);
    context.core.events.emit('reaction', { chat, messageId: message_id, fromId, reaction });
    return true;
  },
);

export const reactionMethods: Methods = { setMessageReaction };
