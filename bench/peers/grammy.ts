/** The same job on grammY with its runner, sequentialize and auto-retry, as its documentation teaches for busy bots. */
import { autoRetry } from '@grammyjs/auto-retry';
import { run, sequentialize } from '@grammyjs/runner';
import { Bot, type Context, InputFile } from 'grammy';
import { download, recognise, speak, telegram, translate } from './job.ts';

const bot = new Bot(telegram.token, { client: { apiRoot: telegram.apiRoot } });

bot.api.config.use(autoRetry());
bot.use(sequentialize((ctx) => [ctx.chat?.id, ctx.from?.id].filter((id) => id !== undefined).map(String)));

bot.command('speak', async (ctx) => {
  await ctx.replyWithChatAction('record_voice');
  const text = ctx.match.replace(/^amdo /, '');
  await ctx.replyWithVoice(new InputFile(await speak(text), 'voice.ogg'), { caption: text });
});

bot.on('message:text', async (ctx) => {
  await ctx.replyWithChatAction('typing');
  await ctx.reply(await translate(ctx.msg.text));
});

bot.on(['message:photo', 'message:document'], async (ctx: Context) => {
  await ctx.replyWithChatAction('typing');
  const { file_path } = await ctx.getFile();
  await ctx.reply(
    await recognise(await download(`${telegram.apiRoot}/file/bot${telegram.token}/${file_path}`)),
  );
});

bot.catch(({ error }) => console.error(error));
const runner = run(bot);
process.once('SIGTERM', () => runner.stop());
