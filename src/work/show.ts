/** Shows the result of a wish: texts, remarks, buttons, files and voice notes. */
import { endsRequest, mayPass } from '../errors.ts';
import { doubtfulSyllables } from '../language/doubtful-syllables.ts';
import { markedLike, runsOfPages, withPageMarks } from '../language/reading/page-marks.ts';
import { dominantLanguage, hasScript, type Language, otherLanguage } from '../language/script.ts';
import { truncate } from '../language/split.ts';
import { byLines, toWylie } from '../language/wylie.ts';
import type { BotContext } from '../telegram/context.ts';
import { answer, answerWithFile, fitsMessage, notice, withRemark } from '../telegram/reply/answer.ts';
import {
  type Button,
  compactButtons,
  hearButtons,
  type KeyboardFor,
  keptForButton,
  slowerButtons,
  textButtons,
  tryAgainButton,
} from '../telegram/reply/buttons.ts';
import { failureWords } from '../telegram/reply/failure-words.ts';
import { answerWithVoice } from '../telegram/reply/media.ts';
import {
  asPagesNote,
  asRemark,
  firstLine,
  fitsCaption,
  numbered,
  textsWithoutRemarks,
  voiceCaption,
  withWylie,
} from '../telegram/request/additions.ts';
import type { Files, Found, Page, Source } from './source.ts';
import { pageStartsOf, speakersInWords } from './speak.ts';
import type { Result, Speech } from './wish.ts';

export async function show(
  ctx: BotContext,
  source: Source,
  found: readonly Found[],
  result: Result,
): Promise<void> {
  const { notice: sentence, tibetan, translation, speech } = result;
  const { replyTo, form } = source;
  if (sentence !== undefined) await notice(ctx, sentence, { key: 'remark', replyTo });
  const isAnswered = translation !== undefined || speech !== undefined;
  if (form === 'file' || (form === 'lines' && !isAnswered)) await showPages(ctx, source, found);
  const [first] = found;
  if (first === undefined) return;
  if (form === 'lines' && isAnswered) await sayWhatIsMissing(ctx, source, first);
  if (tibetan !== undefined)
    await answer(ctx, tibetan, {
      key: 'tibetan',
      keyboard: textButtons(ctx, { isTranslation: true }),
      replyTo,
    });
  if (translation !== undefined) await showTranslation(ctx, source, first, translation, result);
  if (speech !== undefined) await showSpeech(ctx, source, first, speech);
}

/** Shows what was read in each language, or says that there is nothing. A remark replaces the text of a failed page. */
async function showPages(ctx: BotContext, source: Source, found: readonly Found[]): Promise<void> {
  const { form, replyTo } = source;
  const caption = await captionButton(ctx, source);
  if (form === 'lines' && found.length > 1 && found.every(isEmpty))
    return notice(ctx, 'nothing-found-both', { key: 'read', keyboard: [caption], replyTo });
  for (const one of found) {
    const { pages, text } = one;
    const again = await againButton(ctx, source, one);
    if (isEmpty(one)) {
      const keyboard = [[...again, ...hearButtons(ctx, again)], caption];
      await notice(ctx, sentenceForNothing(source, one), { key: keyOf(one), keyboard, replyTo });
      continue;
    }
    const repeat = tryAgainButtons(ctx, pages);
    const keyboard: KeyboardFor = (about, whole) => [
      ...(text === ''
        ? [again, caption]
        : textButtons(ctx, { again, caption })(textsWithoutRemarks(about), whole)),
      repeat,
    ];
    await (form === 'file' ? showFile : showLines)(ctx, source, one, keyboard);
  }
}

async function showLines(
  ctx: BotContext,
  source: Source,
  found: Found,
  keyboard: KeyboardFor,
): Promise<void> {
  const { replyTo } = source;
  const remarks = remarksOn(ctx, source, found);
  const withRemarks = (texts: readonly string[]): string =>
    numbered(texts.map((text, index) => text || (remarks[index] ?? '')));
  const lines = found.pages.map(({ text }) => text);
  const shown = withRemarks(lines);
  const recognised = numbered(lines);
  const remark = await doubtsIn(ctx, recognised);
  // The file holds the remarks, too, since the chat shows only the beginning of a long answer.
  const options = { key: keyOf(found), keyboard, replyTo, meant: withRemarks(found.readings), remark };
  if (!ctx.session.wylie || !hasScript(recognised, 'tibetan')) return answer(ctx, shown, options);
  const wylie = await byLines(recognised, toWylie);
  const both = withWylie(shown, wylie);
  if (fitsMessage(withRemark(both, remark))) return answer(ctx, both, options);
  await answer(ctx, shown, options);
  await answer(ctx, wylie, { key: 'wylie', keyboard: textButtons(ctx), replyTo });
}

/** Above this number the page had better be read again. */
const MAX_DOUBTS = 5;

/** Names the syllables of a recognised text that were probably misread. Undefined if there are none, or the person has switched this off. */
async function doubtsIn(ctx: BotContext, recognised: string): Promise<string | undefined> {
  const syllables = ctx.session.doubts ? await doubtfulSyllables(recognised, MAX_DOUBTS) : [];
  return syllables.length === 0 ? undefined : ctx.words('doubts', { syllables: syllables.join(' · ') });
}

/** Sends the pages of a document with their marks: in a message, if one holds them, else as a file. */
async function showFile(ctx: BotContext, source: Source, found: Found, keyboard: KeyboardFor): Promise<void> {
  const { pages, text, language } = found;
  const { replyTo } = source;
  const done = pages.filter(({ failure }) => !endsRequest(failure));
  const counts = {
    'document-read': done.filter(({ failure }) => failure === undefined).length,
    'document-read-free': pages.filter(({ isLayer }) => isLayer).length,
    'document-read-failed': done.filter(({ failure }) => failure !== undefined).length,
    'document-left': pages.length - done.length,
  };
  const caption = Object.entries(counts)
    .filter(([id, count]) => count > 0 || id === 'document-read')
    .map(([id, count]) => ctx.words(id, { count }))
    .join(' ');
  const marked = done.map((page) => ({
    number: page.number,
    text: page.failure === undefined ? page.text : asRemark(wordsOnPage(ctx, page)),
  }));
  const recognised = pages.filter(({ isLayer }) => !isLayer).map((page) => page.text);
  const doubts = await doubtsIn(ctx, recognised.join('\n'));
  // A page chosen among others keeps its number.
  const [only] = pages.length === 1 && pages[0]?.number === 1 ? marked : [];
  const shown = only?.text ?? withPageMarks(marked);
  // A TIFF of one page is a picture like others.
  const isPicture = only !== undefined && source.files?.kind === 'tiff';
  const note = isPicture ? doubts : asPagesNote(withRemark(caption, doubts));
  const fileName = namedAfter(fileNameOf(source.files), dominantLanguage(text) ?? language);
  const options = { key: keyOf(found), keyboard, replyTo, meant: text, fileName };
  if (fitsMessage(withRemark(shown, note))) return answer(ctx, shown, { ...options, remark: note });
  await answerWithFile(ctx, withPageMarks(marked), withRemark(caption, doubts), options, true);
}

/** Says which pictures have no text, and why, where the others are translated or spoken. */
async function sayWhatIsMissing(ctx: BotContext, source: Source, found: Found): Promise<void> {
  const remarks = remarksOn(ctx, source, found);
  if (remarks.every((remark) => remark === '')) return;
  const again = await againButton(ctx, source, found);
  const repeat = tryAgainButtons(ctx, found.pages);
  const keyboard = () => [again, repeat];
  await answer(ctx, numbered(remarks), { key: 'missing', keyboard, replyTo: source.replyTo });
}

async function showTranslation(
  ctx: BotContext,
  source: Source,
  found: Found,
  translation: string,
  { isOriginalShown, tibetan }: Result,
): Promise<void> {
  const { replyTo, form, document } = source;
  const { text, pages, readings } = found;
  const subtitles = pages[0]?.subtitles?.withTimes(translation);
  const extension = subtitles === undefined ? 'txt' : 'srt';
  const name = document?.name ?? fileNameOf(source.files);
  const fileName = namedAfter(name, dominantLanguage(translation), extension);
  const caption = ctx.words('document-translated');
  const ofFiles =
    source.files === undefined || form === 'file'
      ? []
      : [await againButton(ctx, source, found), await captionButton(ctx, source)];
  const asDocument = {
    key: 'translation',
    keyboard: textButtons(ctx, { isTranslation: true, below: ofFiles }),
    replyTo,
    meant: translation,
    fileName,
  };
  if (subtitles !== undefined) return answerWithFile(ctx, subtitles, caption, asDocument);
  const isPaged = (form === 'file' ? pages : (document?.pages ?? [])).length > 1;
  const runs = document?.runs ?? runsOfPages(pages, readings);
  const shown = (isPaged ? markedLike(runs, translation) : undefined) ?? translation;
  if (!fitsMessage(shown) && (form === 'file' || document !== undefined))
    return answerWithFile(ctx, shown, caption, asDocument);
  if (form === 'file' || isPaged) return answer(ctx, shown, asDocument);
  const isCompact = ctx.isOverheard;
  const written = tibetan ?? text;
  const original = isOriginalShown || (ctx.session.original && !isCompact) ? written : undefined;
  await answer(ctx, translation, {
    key: 'translation',
    keyboard: isCompact
      ? compactButtons(ctx)
      : textButtons(ctx, {
          isTranslation: true,
          original: form === 'text' ? written : undefined,
          below: ofFiles,
        }),
    replyTo,
    fileName,
    original,
    remark: form === 'lines' && original !== undefined ? await doubtsIn(ctx, text) : undefined,
  });
}

/** Sends the voice note. A spoken text that was not shown yet goes into its caption, or if that is too short, into a message before it. */
async function showSpeech(
  ctx: BotContext,
  source: Source,
  found: Found,
  { note, varieties, isSlow, text, isTranslated }: Speech,
): Promise<void> {
  const { replyTo, form } = source;
  const again = form === 'file' ? [] : await againButton(ctx, source, found);
  const inWords = speakersInWords(ctx, note, varieties, pageStartsOf(source, found));
  const names = isSlow ? `${inWords} · 0.75 ×` : inWords;
  const slower = isSlow ? [] : slowerButtons(ctx, varieties);
  const isNew = isTranslated || form === 'lines';
  const isInCaption = isNew && fitsCaption(voiceCaption(names, text));
  if (isNew && !isInCaption)
    await answer(ctx, text, {
      key: 'spoken',
      keyboard: textButtons(ctx, { isTranslation: true }),
      replyTo,
    });
  const caption = voiceCaption(names, isInCaption ? text : firstLine(text));
  const key = `speech:${varieties.join('+')}`;
  await answerWithVoice(ctx, note, { key, said: text, caption, text, keyboard: [slower, again], replyTo });
}

/** Reads it in the other language (handlers/ocr.ts). None in a channel, if all pages had a text layer, and if storing the files fails. */
async function againButton(
  ctx: BotContext,
  { files }: Source,
  { language, pages }: Found,
): Promise<Button[]> {
  if (files === undefined || language === undefined || ctx.chat.type === 'channel') return [];
  if (pages.every(({ isLayer }) => isLayer)) return [];
  const id = await keptForButton(ctx.bot, ctx.asker, JSON.stringify(files), 'files');
  const other = otherLanguage(language);
  if (id === undefined) return [];
  return [{ text: ctx.words(`button-read-${other}`), callback_data: `read:${other}:${id}` }];
}

/** Translates the caption (handlers/translate.ts): that of the message that the answer replies to, else a stored one. */
async function captionButton(ctx: BotContext, { files, replyTo }: Source): Promise<Button[]> {
  const captioned = files?.captioned;
  if (captioned === undefined || ctx.chat.type === 'channel') return [];
  const text = ctx.words('button-translate-caption');
  if (captioned.message === replyTo) return [{ text, callback_data: 'caption' }];
  const id = await keptForButton(ctx.bot, ctx.asker, captioned.text);
  return id === undefined ? [] : [{ text, callback_data: `translate:${id}` }];
}

/** The reading in each language is an answer of its own. */
function keyOf({ language }: Found): string {
  return `read:${language ?? 'text'}`;
}

function isEmpty({ pages, text }: Found): boolean {
  return text === '' && pages.every(({ failure }) => failure === undefined);
}

/** By page, why it has no text; empty for one that has. */
function remarksOn(ctx: BotContext, source: Source, found: Found): string[] {
  return found.pages.map((page) => {
    if (page.text !== '') return '';
    return asRemark(page.failure ? wordsOnPage(ctx, page) : ctx.words(sentenceForNothing(source, found)));
  });
}

function wordsOnPage(ctx: BotContext, { failure }: Page): string {
  const isOfPage = failure?.kind === 'document-unreadable' || failure?.kind === 'document-too-large';
  return isOfPage ? ctx.words('document-page-unreadable') : failureWords(ctx, failure);
}

function sentenceForNothing({ form }: Source, { pages, language }: Found): string {
  if (pages.some(({ isUnlikely }) => isUnlikely)) return `unlikely-${language}`;
  return form === 'file' ? `document-nothing-found-${language}` : `nothing-found-${language}`;
}

/** A button if the failure of a page is temporary: the other pages are stored and cost nothing again. */
function tryAgainButtons(ctx: BotContext, pages: readonly Page[]): Button[] {
  return pages.some(({ failure }) => mayPass(failure)) ? [tryAgainButton(ctx)] : [];
}

function fileNameOf(files: Files | undefined): string | undefined {
  return files?.files[0]?.file.file_name;
}

const NAMES: Record<Language, string> = { tibetan: 'བོད་ཡིག', chinese: '中文' };
/** Separators of folders, and characters that systems do not allow in a name. */
const NOT_IN_NAMES = /[\p{C}\p{Z}/\\:*?"<>|]+/gu;
/** Not the number of *Vol. 3*. */
const EXTENSION = /\.\p{L}[\p{L}\p{N}]{0,4} ?$/u;
/** What the bot has added to a name before. */
const OWN_ENDING = new RegExp(` · (?:${Object.values(NAMES).join('|')})$`, 'u');
/** The maximum, in UTF-16 units: phones show that much of a name. */
const MAX_NAME = 60;

/** Names a file that is made from a person's file: `pecha.pdf` gives `pecha · 中文.txt`; undefined for a text if the file has no name. */
function namedAfter(
  fileName: string | undefined,
  language: Language | undefined,
  extension = 'txt',
): string | undefined {
  const given = (fileName ?? '').replace(NOT_IN_NAMES, ' ').replace(EXTENSION, '').replace(OWN_ENDING, '');
  // A name that begins with a dot is hidden on many computers.
  const name = given.replace(/^[ .]+| $/g, '');
  if (name === '') return extension === 'txt' ? undefined : `lotsawa.${extension}`;
  const ending = language === undefined ? '' : ` · ${NAMES[language]}`;
  return `${truncate(name, MAX_NAME)}${ending}.${extension}`;
}
