/** The order in which an update meets middleware and handlers; what they do is theirs. */
import { Composer } from 'telegraf';
import { anythingElse } from '../handlers/anything-else.ts';
import { cancel, cancelPressed } from '../handlers/cancel.ts';
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
import { samplePhotoPressed } from '../handlers/sample-photo.ts';
import { settingPressed, settings } from '../handlers/settings.ts';
import { speak, speakPressed } from '../handlers/speak.ts';
import { greetingLanguagePressed, start } from '../handlers/start.ts';
import { stats } from '../handlers/stats.ts';
import { text, translatePressed } from '../handlers/text.ts';
import { translateInto } from '../handlers/translate-into.ts';
import { tryAgainPressed } from '../handlers/try-again.ts';
import { usage } from '../handlers/usage.ts';
import { voice, voicePressed } from '../handlers/voice.ts';
import { wylie } from '../handlers/wylie.ts';
import type { QueueHandler } from './queue/queue.ts';
import type { PersonSessions } from './store/kept/sessions.ts';
import type { Collaborators } from './telegram/collaborators.ts';
import { BotContext } from './telegram/context.ts';
import { hasCommand, hasPicture, hasPlainText, hasPress } from './telegram/message/content.ts';
import { onlyWhenAddressed } from './telegram/middleware/addressed.ts';
import { onPress } from './telegram/middleware/button-press.ts';
import type { Cancelling } from './telegram/middleware/cancelling.ts';
import { onCaption } from './telegram/middleware/caption-command.ts';
import {
  afterthoughtsChangeNoSession,
  answersDoNotOutliveTexts,
  answersFollowEdits,
  deletedAnswersStayDeleted,
} from './telegram/middleware/edits.ts';
import { failuresBecomeWords } from './telegram/middleware/failure-boundary.ts';
import { remembersPerson } from './telegram/middleware/person-session.ts';
import { pressesAreTheirOwners } from './telegram/middleware/press-owner.ts';
import { leavesNoProgress } from './telegram/middleware/progress-removal.ts';
import type { Superseding } from './telegram/middleware/superseding.ts';
import { onCommand } from './telegram/middleware/text-command.ts';
import { knowsWholeTexts } from './telegram/middleware/whole-texts.ts';

/** The bot as the queue's handler: it throws only what could not even be told to the person. */
export function createBot(
  bot: Collaborators,
  sessions: PersonSessions,
  cancelling: Cancelling,
  superseding: Superseding,
): QueueHandler {
  const composer = new Composer<BotContext>();

  composer.use(cancelling.endsWithItsTurn());
  composer.use(leavesNoProgress());
  composer.use(answersFollowEdits());
  composer.use(failuresBecomeWords());
  composer.use(membership());
  composer.use(onlyWhenAddressed());
  composer.use(remembersPerson(sessions));
  composer.use(afterthoughtsChangeNoSession());
  composer.use(answersDoNotOutliveTexts());
  composer.use(cancelling.stopsWhatIsCancelled());
  composer.use(superseding.stopsWhatIsSuperseded());
  composer.use(deletedAnswersStayDeleted());
  composer.use(pressesAreTheirOwners());
  composer.use(knowsWholeTexts());

  composer.use(Composer.optional(hasCommand, commands()));
  composer.use(Composer.optional(hasPress, presses()));
  composer.use(Composer.optional(hasPicture, captionCommands(), photo));
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

function commands(): Composer<BotContext> {
  const commands = new Composer<BotContext>();
  onCommand(commands, 'start', start);
  onCommand(commands, 'help', help);
  onCommand(commands, 'tibetan', translateInto('tibetan'));
  onCommand(commands, 'chinese', translateInto('chinese'));
  onCommand(commands, 'auto', translateInto('auto'));
  onCommand(commands, 'speak', speak);
  onCommand(commands, 'ocr', ocr);
  onCommand(commands, 'dialect', dialect);
  onCommand(commands, 'voice', voice);
  onCommand(commands, 'lang', lang);
  onCommand(commands, 'cancel', cancel);
  onCommand(commands, 'privacy', privacy);
  onCommand(commands, 'forget', forget);
  onCommand(commands, 'wylie', wylie);
  onCommand(commands, 'settings', settings);
  onCommand(commands, 'usage', usage);
  onCommand(commands, 'quota', quota);
  onCommand(commands, 'listen', listen);
  onCommand(commands, 'stats', stats);
  return commands;
}

function presses(): Composer<BotContext> {
  const presses = new Composer<BotContext>();
  onPress(presses, 'speak', speakPressed);
  onPress(presses, 'translate', translatePressed);
  onPress(presses, 'read', readAgainPressed);
  onPress(presses, 'dialect', dialectPressed);
  onPress(presses, 'voice', voicePressed);
  onPress(presses, 'reading', readingLanguagePressed);
  onPress(presses, 'lang', langPressed);
  onPress(presses, 'start', greetingLanguagePressed);
  onPress(presses, 'sample', samplePhotoPressed);
  onPress(presses, 'set', settingPressed);
  onPress(presses, 'forget', forgetPressed);
  onPress(presses, 'again', tryAgainPressed);
  onPress(presses, 'cancel', cancelPressed);
  return presses;
}

function captionCommands(): Composer<BotContext> {
  const captions = new Composer<BotContext>();
  onCaption(captions, 'tibetan', translateInto('tibetan'));
  onCaption(captions, 'chinese', translateInto('chinese'));
  onCaption(captions, 'auto', translateInto('auto'));
  onCaption(captions, 'speak', speak);
  onCaption(captions, 'ocr', ocr);
  return captions;
}
