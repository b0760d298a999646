/** The order in which an update meets middleware and handlers; what they do is theirs. */
import { Composer, session } from 'telegraf';
import { anythingElse } from '../handlers/anything-else.ts';
import { cancel } from '../handlers/cancel.ts';
import { dialect, dialectPressed } from '../handlers/dialect.ts';
import { forget, forgetPressed } from '../handlers/forget.ts';
import { help } from '../handlers/help.ts';
import { lang, langPressed } from '../handlers/lang.ts';
import { listen } from '../handlers/listen.ts';
import { membership } from '../handlers/membership.ts';
import { ocr, readingLanguagePressed } from '../handlers/ocr.ts';
import { photo, readAgainPressed } from '../handlers/photo.ts';
import { privacy } from '../handlers/privacy.ts';
import { quota } from '../handlers/quota.ts';
import { settingPressed, settings } from '../handlers/settings.ts';
import { speak, speakPressed } from '../handlers/speak.ts';
import { start } from '../handlers/start.ts';
import { stats } from '../handlers/stats.ts';
import { text, translatePressed } from '../handlers/text.ts';
import { translateInto } from '../handlers/translate-into.ts';
import { tryAgainPressed } from '../handlers/try-again.ts';
import { usage } from '../handlers/usage.ts';
import { voice, voicePressed } from '../handlers/voice.ts';
import { wylie } from '../handlers/wylie.ts';
import type { QueueHandler } from './queue/queue.ts';
import { newPersonSession, type PersonSessions } from './store/sessions.ts';
import { onlyWhenAddressed } from './telegram/addressed.ts';
import type { Cancelling } from './telegram/cancelling.ts';
import { onCaption } from './telegram/caption-command.ts';
import { hasPicture, hasPlainText } from './telegram/content.ts';
import { BotContext, type Collaborators } from './telegram/context.ts';
import {
  afterthoughtsChangeNoSession,
  answersDoNotOutliveTexts,
  answersFollowEdits,
} from './telegram/edits.ts';
import { failuresBecomeWords } from './telegram/failure-boundary.ts';
import { leavesNoProgress } from './telegram/progress-removal.ts';
import { settingsAreTheirOwners } from './telegram/settings-owner.ts';
import type { Superseding } from './telegram/superseding.ts';
import { readsOwnTextFiles } from './telegram/text-file.ts';

/** The bot as the queue's handler: it throws only what could not even be told to the person. */
export function createBot(
  bot: Collaborators,
  sessions: PersonSessions,
  cancelling: Cancelling,
  superseding: Superseding,
): QueueHandler {
  const composer = new Composer<BotContext>();

  composer.use(leavesNoProgress());
  composer.use(answersFollowEdits());
  composer.use(failuresBecomeWords());
  composer.use(membership());
  composer.use(onlyWhenAddressed());
  composer.use(
    session({ store: sessions, getSessionKey: (ctx) => ctx.person, defaultSession: newPersonSession }),
  );
  composer.use(afterthoughtsChangeNoSession());
  composer.use(answersDoNotOutliveTexts());
  composer.use(cancelling.stopsWhatIsCancelled());
  composer.use(superseding.stopsWhatIsSuperseded());
  composer.use(settingsAreTheirOwners());
  composer.use(readsOwnTextFiles());

  composer.command(/^start$/i, start);
  composer.command(/^help$/i, help);
  composer.command(/^tibetan$/i, translateInto('tibetan'));
  composer.command(/^chinese$/i, translateInto('chinese'));
  composer.command(/^auto$/i, translateInto('auto'));
  composer.command(/^speak$/i, speak);
  composer.command(/^ocr$/i, ocr);
  composer.command(/^dialect$/i, dialect);
  composer.command(/^voice$/i, voice);
  composer.command(/^lang$/i, lang);
  composer.command(/^cancel$/i, cancel);
  composer.command(/^privacy$/i, privacy);
  composer.command(/^forget$/i, forget);
  composer.command(/^wylie$/i, wylie);
  composer.command(/^settings$/i, settings);
  composer.command(/^usage$/i, usage);
  composer.command(/^quota$/i, quota);
  composer.command(/^listen$/i, listen);
  composer.command(/^stats$/i, stats);

  composer.action(/^speak:(\w+)$/, speakPressed);
  composer.action(/^translate$/, translatePressed);
  composer.action(/^read:(\w+)$/, readAgainPressed);
  composer.action(/^dialect:(\w+)/, dialectPressed);
  composer.action(/^voice:(\w+)/, voicePressed);
  composer.action(/^reading:(\w+)/, readingLanguagePressed);
  composer.action(/^lang:(\w+)/, langPressed);
  composer.action(/^set:-?\d+:(\w+):(\w+)$/, settingPressed);
  composer.action(/^forget:(-?\d+)$/, forgetPressed);
  composer.action(/^again:([\w-]+):(-?\d+)$/, tryAgainPressed);

  onCaption(composer, 'tibetan', translateInto('tibetan'));
  onCaption(composer, 'chinese', translateInto('chinese'));
  onCaption(composer, 'auto', translateInto('auto'));
  onCaption(composer, 'speak', speak);
  onCaption(composer, 'ocr', ocr);

  composer.use(Composer.optional(hasPicture, photo));
  composer.use(Composer.optional(hasPlainText, text));
  composer.use(anythingElse);

  const handle = composer.middleware();
  return (work) =>
    superseding.untilNewest(work, async (updates) => {
      const ctx = new BotContext(updates, work, bot);
      await handle(ctx, async () => {});
      return ctx;
    });
}
