/** The bot's commands, per scope and language. */
import { z } from 'zod';
import { badRequest } from '../api-error.ts';
import { type CallContext, type Methods, method } from '../method.ts';
import type { BotCommand, BotCommandScope } from '../objects.ts';
import { chatIdOrName, integer, json, type Read, text } from '../parameters.ts';

const SCOPES = [
  'default',
  'all_private_chats',
  'all_group_chats',
  'all_chat_administrators',
  'chat',
  'chat_administrators',
  'chat_member',
] as const satisfies ReadonlyArray<BotCommandScope['type']>;

const COMMANDS_MAX = 100;
/** Code points. */
const NAME_MAX = 32;
const DESCRIPTION_MAX = 256;

const where = {
  scope: json(
    z.looseObject(
      {
        type: z.enum(SCOPES, {
          error: ({ input }) =>
            `can't parse BotCommandScope: ${input === undefined ? 'Can\'t find field "type"' : 'Unsupported type specified'}`,
        }),
        chat_id: chatIdOrName.optional(),
        user_id: integer('invalid user_id specified').optional(),
      },
      { error: "can't parse BotCommandScope: BotCommandScope must be an Object" },
    ),
    "can't parse BotCommandScope JSON object",
  ).optional(),
  language_code: text.default(''),
};

const commandSchema = z.looseObject(
  { command: z.string(), description: z.string(), is_ephemeral: z.boolean().optional() },
  { error: "can't parse BotCommand" },
);

const setMyCommands = method(
  {
    ...where,
    commands: json(
      z.array(commandSchema, { error: 'expected an Array of BotCommand' }),
      "can't parse commands JSON object",
    ),
  },
  (context, parameters) => {
    const { commands } = parameters;
    const { scope, language } = readWhere(context, parameters);
    if (commands.length > COMMANDS_MAX) throw badRequest('BOT_COMMANDS_TOO_MUCH');
    const read = commands.map(readCommand);
    context.core.profile.setCommands(scope, language, read);
    context.core.events.emit('commands', { scope, languageCode: language });
    return true;
  },
);

const getMyCommands = method(where, (context, parameters) => {
  const { scope, language } = readWhere(context, parameters);
  return context.core.profile.commands(scope, language);
});

/** Throws ApiError for a name or a description that Telegram does not take. */
function readCommand(given: z.output<typeof commandSchema>): BotCommand {
  const command = given.command.trim().replace(/^\//, '');
  const description = given.description.trim();
  if (command === '') throw badRequest('command must be non-empty');
  if ([...command].length > NAME_MAX) throw badRequest(`command length must not exceed ${NAME_MAX}`);
  if (!/^[a-z0-9_]+$/.test(command)) throw badRequest('BOT_COMMAND_INVALID');
  if (description === '') throw badRequest('command description must be non-empty');
  if ([...description].length > DESCRIPTION_MAX)
    throw badRequest(`command description length must not exceed ${DESCRIPTION_MAX}`);
  return { command, description, ...(given.is_ephemeral && { is_ephemeral: true }) };
}

/** Throws ApiError for an unknown scope, an unknown chat, and what is no two-letter language. */
function readWhere(
  { core }: CallContext,
  { scope, language_code }: Read<typeof where>,
): { scope: BotCommandScope; language: string } {
  if (language_code !== '' && !/^[a-z]{2}$/.test(language_code))
    throw badRequest('invalid language code specified');
  if (scope === undefined) return { scope: { type: 'default' }, language: language_code };
  const { type, chat_id, user_id } = scope;
  if (!type.startsWith('chat')) return { scope: { type }, language: language_code };
  if (chat_id === undefined) throw badRequest('can\'t parse BotCommandScope: Can\'t find field "chat_id"');
  if (type === 'chat_member' && user_id === undefined)
    throw badRequest('can\'t parse BotCommandScope: Can\'t find field "user_id"');
  const chat = { chat_id: core.room(chat_id).chat.id };
  const member = type === 'chat_member' && user_id !== undefined && { user_id };
  return { scope: { type, ...chat, ...member }, language: language_code };
}

export const commandMethods: Methods = { setMyCommands, getMyCommands };
