/** /tibetan, /chinese and /auto: translate one text into a language, or set the target from now on. */
import { dominantLanguage, otherLanguage } from '../src/language/script.ts';
import { tibetanIfWylie } from '../src/language/wylie.ts';
import { translationButtons } from '../src/telegram/answer/buttons.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { answer, notice } from '../src/telegram/outbox/answer.ts';
import type { Command } from '../src/telegram/request/command.ts';
import { type SourceText, subjectsOf } from '../src/telegram/request/subject.ts';
import { askAboutSeveral } from './several-files.ts';
import {
  type Target,
  translateDocument,
  translatePictures,
  translateText,
  wantedInto,
} from './translation.ts';

export const tibetan = translateInto('tibetan');
export const chinese = translateInto('chinese');
export const auto = translateInto('auto');

/** The command of this name: with a text, or as a reply, translates just that; alone, sets the target. */
function translateInto(target: Target): Command<BotContext> {
  return {
    name: target,
    menu: 'everybody',
    about: ['text', 'picture'],
    handle: async (ctx, given) => {
      // A picture is read in the language to translate from, unless a caption names another.
      const from = target === 'auto' ? ctx.session.reading : otherLanguage(target);
      const subjects = await subjectsOf(ctx, given, from);
      await askAboutSeveral(ctx, subjects, wantedInto(ctx, target));
      for (const subject of subjects) {
        if (subject.kind === 'pictures') await translatePictures(ctx, subject, target);
        else if (subject.kind === 'document') await translateDocument(ctx, subject, target);
        else await translateTyped(ctx, subject, target);
      }
      if (subjects.length > 0) return;
      ctx.session.target = target;
      await notice(ctx, `target-${target}`);
    },
  };
}

/** Translates a typed text. For Tibetan in Wylie, shows the Tibetan first. */
async function translateTyped(ctx: BotContext, typed: SourceText, target: Target): Promise<void> {
  const { text, replyTo } = typed;
  if (target !== 'chinese' || dominantLanguage(text) !== undefined) {
    return translateText(ctx, typed, target);
  }
  const tibetan = tibetanIfWylie(text);
  if (tibetan === undefined) return notice(ctx, 'neither-script-nor-wylie', { replyTo });
  await answer(ctx, tibetan, { keyboard: translationButtons(ctx), replyTo });
  await translateText(ctx, { text: tibetan, replyTo }, target);
}
