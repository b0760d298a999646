/** The same job as a plain Telegraf bot does it, written as Telegraf's documentation teaches. */
import { Telegraf } from 'telegraf';
import { message } from 'telegraf/filters';
import { download, recognise, speak, telegram, translate } from './job.ts';

const bot = new Telegraf(telegram.token, { telegram: { apiRoot: telegram.apiRoot } });

bot.command('speak', async (ctx) => {
  await ctx.sendChatAction('record_voice');
  const text = ctx.payload.replace(/^amdo /, '');
  const source = await speak(text);
  await ctx.replyWithVoice({ source }, { caption: text });
});

bot.on(message('text'), async (ctx) => {
  await ctx.sendChatAction('typing');
  await ctx.reply(await translate(ctx.message.text));
});

bot.on(message('photo'), async (ctx) => {
  await ctx.sendChatAction('typing');
  const largest = ctx.message.photo.at(-1);
  if (largest !== undefined) await read(ctx, largest.file_id);
});

bot.on(message('document'), async (ctx) => {
  await ctx.sendChatAction('typing');
  await read(ctx, ctx.message.document.file_id);
});

async function read(
  ctx: { telegram: typeof bot.telegram; reply(text: string): Promise<unknown> },
  fileId: string,
) {
  const link = await ctx.telegram.getFileLink(fileId);
  await ctx.reply(await recognise(await download(link)));
}

process.once('SIGTERM', () => bot.stop('SIGTERM'));
await bot.launch();
