/** Carries out every request for a text, a translation or speech: reads its sources, fulfils the wish, shows the result. */
import { endsRequest, type Failure, isOfFile, mayPass } from '../errors.ts';
import { readingsOf } from '../interpreter/recognition.ts';
import type { RequestOptions } from '../interpreter/request.ts';
import { isLikelyText } from '../language/reading/likely.ts';
import { runsOfPages, textOfRuns } from '../language/reading/page-marks.ts';
import { dominantLanguage, type Language } from '../language/script.ts';
import type { CallKind } from '../paid-calls.ts';
import { NoRoom, throwIfCancelled } from '../patience.ts';
import type { BotContext } from '../telegram/context.ts';
import { notice, say } from '../telegram/reply/answer.ts';
import { failureWords, sentenceFor } from '../telegram/reply/failure-words.ts';
import { sayToListener } from '../telegram/reply/media.ts';
import { numbered } from '../telegram/request/additions.ts';
import { show } from './show.ts';
import { type Found, type Page, type Source, textSource } from './source.ts';
import { toSpeak } from './speak.ts';
import { isForLater, type Result, type Wish } from './wish.ts';

/**
 * Carries out the wish for each source, one after another; asks first if they take many paid calls together. Returns whether any has a text.
 * Throws the failure that ends the work, after showing what is finished; `ctx.rest` counts the remaining calls. A file that
 * cannot be read does not stop the others.
 */
export async function carryOut(
  ctx: BotContext,
  sources: readonly Source[],
  wishFor: (source: Source) => Wish,
): Promise<boolean> {
  const before = ctx.outbox.given;
  let isFound = false;
  // For a single source, `carryOutOne` asks.
  const calls = sources.length > 1 ? await askAboutAll(ctx, sources, wishFor) : [];
  for (const [index, source] of sources.entries()) {
    const wish = wishFor(source);
    const own = calls[index] ?? 0;
    const later = calls.slice(index + 1).reduce((sum, count) => sum + count, 0);
    ctx.outbox.progress.begin(own + later);
    try {
      if (wish.isReading && source.form === 'text')
        await notice(ctx, source.files === undefined ? 'ocr-no-photo' : 'document-is-text');
      else if (await carryOutOne(ctx, source, wish)) isFound = true;
    } catch (error) {
      if (sources.length > 1 && isOfFile(error)) {
        ctx.bot.log.warn({ error, update: ctx.update.update_id }, 'a file of a request failed');
        await say(ctx, failureWords(ctx, error), { key: 'failure', replyTo: source.replyTo });
        await sayToListener(ctx, sentenceFor(error));
        continue;
      }
      const isPartly = ctx.outbox.given > before && isForLater(error, ctx.signal);
      ctx.rest = isPartly ? (ctx.rest ?? own) + later : undefined;
      throw error;
    }
  }
  return isFound;
}

async function carryOutOne(ctx: BotContext, source: Source, wish: Wish): Promise<boolean> {
  const asked = { onProgress: ctx.outbox.progress.part(wish.atLeast.length), callsAfter: wish.atLeast };
  const { found, failures } = await read(ctx, source, languagesFor(source, wish), asked);
  const texts = found.flatMap(({ text }) => text || []);
  const [text = ''] = texts;
  const stop = failures.find(endsRequest);
  if (stop !== undefined && texts.length === 0) throw stop;
  if (source.form !== 'text' && texts.length === 0) {
    // A command about a picture is about its caption if there is nothing else.
    const caption = ctx.intent.kind === 'command' && !wish.isReading ? source.files?.captioned : undefined;
    if (caption === undefined || failures.length > 0) await show(ctx, source, found, {});
    else await carryOutOne(ctx, textSource(caption.text, source.replyTo), wish);
    return false;
  }
  if (dominantLanguage(text) !== undefined) ctx.session.lastText = texts.join('\n\n');
  // What was read is not lost by a failure that leaves a rest for later.
  const result: Result =
    stop !== undefined
      ? { end: stop }
      : await wish.fulfil(ctx, source, text).catch((error: unknown) => {
          if (!isForLater(error, ctx.signal)) throw error;
          return { end: error };
        });
  const next = result.end === undefined ? nextOf(ctx, wish, result, text) : undefined;
  // Ask about the cost before showing anything.
  if (next !== undefined)
    await ctx.bot.interpreter.account.mustBeAgreed(ctx.asker, await next.wish.unpaid(ctx, next.text));
  await show(ctx, source, found, result);
  if (result.end !== undefined) {
    const unread = failures.filter((one) => endsRequest(one) || mayPass(one));
    ctx.rest =
      stop === undefined ? (await wish.unpaid(ctx, text)).length : unread.length + wish.atLeast.length;
    throw result.end;
  }
  if (next !== undefined) {
    const [first] = found;
    const read = first?.pages.map(({ number }, at) => ({ number, text: first.readings[at] ?? '' }));
    const pages = source.document?.pages ?? read;
    await carryOutOne(ctx, textSource(next.text, source.replyTo, { name: undefined, pages }), next.wish);
  }
  return true;
}

/** The wish that follows, and its text. Setting `spoken`: the Tibetan side of every other answer, original or translation, is spoken. */
function nextOf({ session, isOverheard }: BotContext, wish: Wish, result: Result, text: string) {
  const { translation = text, speech } = result;
  if (wish.then !== undefined) return dominantLanguage(translation) && { wish: wish.then, text: translation };
  if (!session.spoken || isOverheard || speech !== undefined) return undefined;
  const spoken = dominantLanguage(translation) === 'tibetan' ? translation : text;
  return dominantLanguage(spoken) && { wish: toSpeak(session.dialect), text: spoken };
}

/** The source in each language, and the failures of single pages. Throws the failure of all pages. */
export async function read(
  ctx: BotContext,
  source: Source,
  languages: readonly Language[],
  asked: Pick<RequestOptions, 'onProgress' | 'callsAfter'>,
): Promise<{ found: Found[]; failures: Failure[] }> {
  // After a /cancel the pages read so far are shown, too.
  const { bot, stopping: signal } = ctx;
  const inEach = await source.read(ctx, languages, asked);
  const { form } = source;
  if (form === 'text') {
    const [pages = []] = inEach;
    const text = pages[0]?.text ?? '';
    return { found: [{ language: undefined, pages, readings: [text], text }], failures: [] };
  }
  const failures = inEach.flat().flatMap(({ failure }) => failure ?? []);
  const shared = sharedFailure(inEach, failures);
  if (shared !== undefined) throw shared;
  const found = await Promise.all(
    inEach.map(async (read, index) => {
      const pages = believed(read, form);
      const texts = pages.map(({ text }) => text);
      const readings = await readingsOf(bot.interpreter, texts, { signal });
      const text = form === 'file' ? textOfRuns(runsOfPages(pages, readings)) : numbered(readings);
      return { language: languages[index], pages, readings, text };
    }),
  );
  return { found, failures };
}

/** A failure of all pages, reported once with one button. Not `in-doubt`: people decide for each page whether to pay for a retry. */
function sharedFailure(
  inEach: readonly (readonly Page[])[],
  failures: readonly Failure[],
): Failure | undefined {
  const [first] = failures;
  if (failures.length < inEach.flat().length) return undefined;
  // A single page, in one language or in both.
  if (failures.length === inEach.length) return failures.find(mayPass) ?? first;
  return failures.some(({ kind }) => kind !== first?.kind) || first?.kind === 'in-doubt' ? undefined : first;
}

/** Empties pages read in a script that they do not have; of a document only if all are such: some pages may show other things. */
function believed(pages: readonly Page[], form: 'lines' | 'file'): readonly Page[] {
  const isUnlikely = ({ isLayer, text }: Page) => !isLayer && text !== '' && !isLikelyText(text);
  const isKept = form === 'file' && pages.some((page) => page.text !== '' && !isUnlikely(page));
  if (isKept) return pages;
  return pages.map((page) => (isUnlikely(page) ? { ...page, text: '', isUnlikely: true } : page));
}

function languagesFor({ languages }: Source, { isReading }: Wish): readonly Language[] {
  return isReading ? languages : languages.slice(0, 1);
}

/** Returns the number of calls of each. Throws `costly`, or `limit-…`, if they take more together than the person has agreed to. */
async function askAboutAll(
  ctx: BotContext,
  sources: readonly Source[],
  wishFor: (source: Source) => Wish,
): Promise<number[]> {
  const calls: (readonly CallKind[])[] = [];
  // One after another: each may load a file. One that cannot be opened takes no calls; carrying it out reports the failure.
  for (const source of sources) {
    const own = callsFor(ctx, source, wishFor(source)).catch((error: unknown) => {
      if (error instanceof NoRoom) throw error;
      return [];
    });
    calls.push(await own);
  }
  throwIfCancelled(ctx.signal);
  await ctx.bot.interpreter.account.mustBeAgreed(ctx.asker, calls.flat());
  return calls.map(({ length }) => length);
}

async function callsFor(ctx: BotContext, source: Source, wish: Wish): Promise<readonly CallKind[]> {
  const languages = languagesFor(source, wish);
  const unread = await source.unread(ctx, languages);
  if (source.form !== 'text') return unread.length > 0 ? [...unread, ...wish.atLeast] : [];
  const [page] = (await source.read(ctx, languages, {})).flat();
  return wish.unpaid(ctx, page?.text ?? '');
}
