/** Requests as Telegram delivers them. */
import { chineseOf, marked, translationOf } from '../marks.ts';
import type { PictureMaker } from './picture.ts';
import type { Kind, Request } from './requests.ts';
import { BOT, type LightTelegram } from './telegram.ts';

/** A text that was answered: by their ids, its message and the bot's. */
export interface AnsweredText {
  readonly mark: number;
  readonly question: number;
  readonly answer: number;
}

export interface Means {
  readonly telegram: LightTelegram;
  readonly pictures?: Readonly<Partial<Record<Kind, PictureMaker>>>;
  /** What an edit or a press is about. */
  readonly last?: AnsweredText | undefined;
}

const MENTION = `@${BOT.username}`;
const TO_SPEAK = 'amdo བཀྲ་ཤིས་བདེ་ལེགས། ང་ཚོ་སང་ཉིན་སློབ་གྲྭར་འགྲོ་གི་ཡིན།';

/** Delivers a request; returns the id of its message. */
export async function deliver(request: Request, { telegram, pictures, last }: Means): Promise<number> {
  const { kind, mark, person, where } = request;
  const { from, chat, date } = textOf(person, '');
  switch (kind) {
    case 'text':
      return telegram.deliver(textOf(person, chineseOf(mark)));
    case 'speech':
      return telegram.deliver(commandOf(person, '/speak', ` ${TO_SPEAK} ${marked(mark)}`));
    case 'sticker':
      return telegram.deliver({
        from,
        chat,
        date,
        sticker: { file_id: 's', file_unique_id: 's', width: 1, height: 1 },
      });
    case 'group':
      return telegram.deliver({
        ...textOf(person, `${MENTION} ${chineseOf(mark)}`),
        chat: { id: Number(where), type: 'group', title: 'Group' },
        entities: [{ type: 'mention', offset: 0, length: MENTION.length }],
      });
    case 'inline':
      return telegram.deliver({ id: where, from, query: chineseOf(mark), offset: '' }, 'inline_query');
    case 'edit': {
      const edited = { ...textOf(person, chineseOf(mark)), message_id: last?.question, edit_date: 2 };
      return telegram.deliver(edited, 'edited_message');
    }
    case 'press': {
      const data = 'translate';
      const reply_markup = { inline_keyboard: [[{ text: data, callback_data: data }]] };
      const pressed = { ...textOf(person, translationOf(mark)), from: BOT, reply_markup };
      const message = { ...pressed, message_id: last?.answer };
      const press = { id: `press-${last?.answer}`, from, chat_instance: '1', message, data };
      return telegram.deliver(press, 'callback_query');
    }
    default: {
      const picture = await pictures?.[kind]?.(mark);
      if (picture === undefined) throw new Error(`this load makes no ${kind}`);
      const id = `${kind}-${mark}`;
      telegram.hold(id, picture);
      const file = { file_id: id, file_unique_id: id, file_size: picture.length };
      const content =
        kind === 'photo'
          ? { photo: [{ ...file, width: 640, height: 480 }] }
          : {
              document: {
                ...file,
                file_name: 'page',
                mime_type: `image/${kind === 'redrawn' ? 'webp' : 'jpeg'}`,
              },
            };
      return telegram.deliver({ from, chat, date, ...content });
    }
  }
}

/** A text in the private chat of a person. */
export function textOf(person: number, text: string) {
  return {
    date: Math.floor(Date.now() / 1000),
    from: { id: person, is_bot: false, first_name: `P${person}`, language_code: 'en' },
    chat: { id: person, type: 'private', first_name: `P${person}` },
    text,
  };
}

export function commandOf(person: number, command: string, rest = '') {
  const entities = [{ type: 'bot_command', offset: 0, length: command.length }];
  return { ...textOf(person, `${command}${rest}`), entities };
}
