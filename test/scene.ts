/** A stage for front-door tests: the local Telegram, the local service, the real bot between them, and people. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { CallKind, ServiceCall } from '../sandbox/service/call-log.ts';
import type { LocalService } from '../sandbox/service/local-service.ts';
import type { LocalTelegram } from '../sandbox/telegram/local-telegram.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { NewPerson, Person } from '../sandbox/telegram/person.ts';
import { INTERFACE_LANGUAGES } from '../src/language/interface-language.ts';
import { openBotPlace } from './bot-place.ts';
import type { BotProcess } from './bot-process.ts';
import { buttonsOf, isAnswer, says } from './phrases.ts';

const inEveryLanguage = (id: string) => new Set(INTERFACE_LANGUAGES.map((language) => says(id, language)));
const HELP = inEveryLanguage('help');
const FORGOTTEN = inEveryLanguage('forgotten');
/** A request that waits longer than this is not work under way, in ms. */
const SOON_MS = 3000;

export interface Scene {
  readonly telegram: LocalTelegram;
  readonly service: LocalService;
  /** A person whose Telegram is in English. */
  readonly anna: Person;
  /** Somebody new, who has chosen nothing yet; their Telegram is in English unless said otherwise. */
  newcomer(options?: Partial<NewPerson>): Person;
  bot(): BotProcess;
  /** All that the bot wrote, before and after every restart. */
  log(): string;
  /** One more process of the same bot, once it is ready: on PostgreSQL they share the work. The scene's end is its end. */
  anotherProcess(): Promise<BotProcess>;
  /** Stops the bot (SIGTERM unless said otherwise) and starts it anew on the same database, with these changes to its settings. */
  restart(signal?: NodeJS.Signals, changes?: Record<string, string>): Promise<void>;
  /** Sends a text in the private chat and gives the bot's next message there that `matches`. */
  ask(person: Person, text: string, matches?: (answer: Message) => boolean): Promise<Message>;
  /** The bot's first message after `message` in the same chat that `matches`; unless told, any but an offer to cancel. */
  answerTo(message: Message, matches?: (answer: Message) => boolean): Promise<Message>;
  /** All that the bot has said after `message`, in its chat, once it has nothing more to say to `person`. */
  everythingAfter(message: Message, person: Person): Promise<Message[]>;
  /** Chooses a value in the person's /settings, and gives the panel after it. */
  set(person: Person, setting: string, value: string): Promise<Message>;
  /** Has /forget erase everything about the person. */
  forget(person: Person): Promise<void>;
  /** Waits until the bot has ended all it was asked: a message is seen before the bot knows that it arrived. */
  atRest(): Promise<unknown>;
  /** Waits until so many paid calls are under way at the service. */
  underWay(count?: number): Promise<unknown>;
  /** How many calls the service charged for while `work` was done. */
  paidBy(work: () => Promise<unknown>): Promise<number>;
  /** What the service was last asked for by a call of this kind, as it came over the wire. */
  lastCall(kind: CallKind): Readonly<Record<string, unknown>> | undefined;
  /** Waits until the message is as `condition` wants it, and gives it. */
  becomes(message: Message, condition: (now: Message) => boolean): Promise<Message>;
  /** The bot's SQLite file. */
  readonly databaseFile: string;
  /** Runs one statement in that file, and gives its rows. */
  rows(statement: string): Record<string, unknown>[];
  /** Throws where the bot has called a method with a parameter that the Bot API does not know (sandbox/telegram/known-parameters.ts). */
  checkCalls(): void;
  /** Ends everything, and then throws as `checkCalls` does. */
  close(): Promise<void>;
}

export interface SceneOptions {
  /** Settings beside those that the scene needs. */
  readonly env?: Record<string, string>;
  /** Puts something between the bot and its servers; gives the settings that lead the bot there. */
  readonly between?: (telegram: LocalTelegram, service: LocalService) => Promise<Record<string, string>>;
  /** How the service speaks, where that matters. */
  readonly speech?: Parameters<typeof openBotPlace>[0];
}

/** Starts everything; resolves when the bot asks for updates. */
export async function startScene({ env = {}, between, speech }: SceneOptions = {}): Promise<Scene> {
  const place = await openBotPlace(speech);
  const { telegram, service, folder } = place;
  const { world } = telegram;
  const databaseFile = join(folder.path, 'lotsawa.db');
  const detour = (await between?.(telegram, service)) ?? {};
  const newcomer: Scene['newcomer'] = (options = {}) =>
    world.addPerson({ firstName: 'Pema', languageCode: 'en', ...options });
  const anna = newcomer({ firstName: 'Anna' });
  const bots: BotProcess[] = [];
  const start = (changes?: Record<string, string>): BotProcess => {
    const started = place.start({ ...detour, ...env, ...changes });
    bots.push(started);
    return started;
  };
  let bot = start();
  const ended = bot.exited.then((code) => {
    throw new Error(`the bot ended with ${code} as it started:\n${bot.output()}`);
  });
  await Promise.race([telegram.botReady(), ended]);

  const answerTo: Scene['answerTo'] = (message, matches = isAnswer) =>
    world.waitForMessage(message.chat, (answer) => answer.from?.is_bot === true && matches(answer), {
      after: message,
    });
  const ask: Scene['ask'] = (person, text, matches) => answerTo(person.send(person.chat, { text }), matches);

  const becomes: Scene['becomes'] = (message, condition) =>
    world.waitUntil(() => {
      const now = world.message(message);
      return now !== undefined && condition(now) && now;
    });

  const rows: Scene['rows'] = (statement) => {
    const database = new DatabaseSync(databaseFile, { timeout: 10_000 });
    try {
      return database.prepare(statement).all();
    } finally {
      database.close();
    }
  };

  const checkCalls = () => {
    const unknown = telegram.calls.find(({ description }) => description?.includes('has no parameter'));
    if (unknown !== undefined) throw new Error(unknown.description);
  };

  return {
    telegram,
    service,
    anna,
    newcomer,
    bot: () => bot,
    log: () => bots.map(({ output }) => output()).join(''),
    anotherProcess: async () => {
      const another = start();
      await another.says('"ready"');
      return another;
    },
    restart: async (signal, changes) => {
      await bot.stop(signal);
      const intakes = () =>
        telegram.calls.filter(({ method }) => /^(getUpdates|setWebhook)$/.test(method)).length;
      const before = intakes();
      bot = start(changes);
      await world.waitUntil(() => intakes() > before);
    },
    ask,
    answerTo,
    everythingAfter: async (message, person) => {
      // One person's messages are answered in order: with this answer there, nothing earlier is under way.
      const last = await ask(person, '/help', ({ text }) => HELP.has(text ?? ''));
      return world
        .messages(message.chat)
        .filter(
          ({ message_id, from }) =>
            from?.is_bot && message_id > message.message_id && message_id !== last.message_id,
        );
    },
    set: async (person, setting, value) => {
      const panel = await ask(person, '/settings');
      const toOpen = `set:${person.id}:${setting}`;
      const toChoose = `${toOpen}:${value}`;
      await person.press(panel, toOpen);
      await person.press(await becomes(panel, (now) => buttonsOf(now).includes(toChoose)), toChoose);
      return becomes(panel, (now) => buttonsOf(now).includes(toOpen));
    },
    forget: async (person) => {
      const question = await ask(person, '/forget');
      await person.press(question, buttonsOf(question)[0] ?? '');
      await becomes(question, ({ text }) => FORGOTTEN.has(text ?? ''));
    },
    atRest: () =>
      world.waitUntil(
        () =>
          service.calls.every(({ outcome }) => outcome !== 'running') &&
          rows(
            `select 1 from requests where process is not null or (head = 1 and due_at < ${Date.now() + SOON_MS})`,
          ).length === 0,
      ),
    underWay: (count = 1) => {
      const isUnderWay = ({ kind, outcome }: ServiceCall) => kind !== 'token' && outcome === 'running';
      return world.waitUntil(() => service.calls.filter(isUnderWay).length === count);
    },
    paidBy: async (work) => {
      const before = service.paid().calls;
      await work();
      return service.paid().calls - before;
    },
    lastCall: (kind) => service.calls.findLast((call) => call.kind === kind)?.parameters,
    becomes,
    databaseFile,
    rows,
    checkCalls,
    close: async () => {
      await place.close();
      checkCalls();
    },
  };
}
