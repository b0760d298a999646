/** Where a message is written: text, pictures, a reply or an edit, with suggestions while typing. */
import { act, sendFiles } from './api.js';
import { commandCompletion } from './command-completion.js';
import { composerContext } from './composer-context.js';
import { byId } from './dom.js';
import { wireFileIntake } from './file-intake.js';
import { inlineMode, inlineQueryIn } from './inline-mode.js';
import { attempt } from './notices.js';
import { isForOne } from './places.js';
import { createSuggestions } from './suggestions.js';
import { createTray } from './tray.js';

/** Whether the stylesheet alone lets the text field grow with its text. */
const GROWS_BY_ITSELF = CSS.supports('field-sizing', 'content');

/** Wires the form (`onOpen` shows another chat's conversation); gives what other parts of the page may ask of it. */
export function wireComposer(state, onOpen) {
  const input = byId('composer-input');
  const suggestions = createSuggestions(input);
  const tray = createTray(refresh);
  const context = composerContext(() => input.focus());
  const complete = commandCompletion(state, fill);
  const inline = inlineMode(state, clear, onOpen);
  const drafts = new Map();
  let place = '';

  function refresh() {
    if (!GROWS_BY_ITSELF) {
      input.style.height = 'auto';
      input.style.height = `${input.scrollHeight}px`;
    }
    byId('send').disabled = input.value.trim() === '' && tray.isEmpty() && context.edited() === undefined;
    byId('commands').hidden = input.value !== '' || !tray.isEmpty();
  }

  async function suggest() {
    const text = input.value;
    const query = inlineQueryIn(text, state.bot.username);
    if (query !== undefined) {
      suggestions.unmark();
      inline.ask(query, (options, first) => suggestions.show('Inline results', options, first));
      return;
    }
    inline.forget();
    const options = await complete(text);
    if (input.value !== text) return;
    // Enter sends a whole command, and completes what is only its beginning.
    const isWhole = text === '/' || options.some(({ key }) => `/${key}` === text.toLowerCase());
    suggestions.show('Commands', options, isWhole ? -1 : 0);
  }

  function fill(text) {
    input.value = text;
    input.focus();
    input.setSelectionRange(text.length, text.length);
    refresh();
    suggest();
  }

  function clear() {
    input.value = '';
    context.clear();
    tray.clear();
    suggestions.hide();
    inline.forget();
    refresh();
  }

  const here = () => ({ personId: state.personId, chatId: state.chatId, threadId: state.topicId });
  const sendText = (text) => attempt(() => act('sendText', { ...here(), text }));
  const target = () => ({ ...here(), ...context.reference() });

  function delivery() {
    const text = input.value.trim();
    const edited = context.edited();
    if (!tray.isEmpty()) {
      const form = tray.form({ ...target(), caption: text });
      return async () => sendFiles(await form);
    }
    if (edited === undefined && text === '') return undefined;
    if (edited === undefined) {
      const message = { ...target(), text };
      return () => act('sendText', message);
    }
    if (text === '' && edited.text !== undefined) return undefined;
    const change = { personId: state.personId, chatId: edited.chat.id, messageId: edited.message_id, text };
    return () => act('edit', change);
  }

  /** The composer is emptied at once, as in Telegram; what could not be sent comes back. */
  async function submit() {
    const deliver = delivery();
    if (deliver === undefined) return;
    const written = input.value;
    const putBack = tray.contents();
    const sent = attempt(deliver);
    clear();
    if ((await sent) !== undefined || input.value !== '') return;
    fill(written);
    putBack();
  }

  input.addEventListener('input', () => {
    refresh();
    suggest();
  });
  input.addEventListener('blur', () => suggestions.hide());
  input.addEventListener('keydown', (event) => {
    // Enter that ends a composition (Chinese, Tibetan input methods) belongs to the input method; Safari tells it by 229 alone.
    if (event.isComposing || event.keyCode === 229) return;
    if (suggestions.handleKey(event)) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      submit();
    } else if (event.key === 'Escape') context.clear();
    else if (event.key === 'ArrowUp' && input.value === '') editLast(event);
  });
  byId('composer').addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
    input.focus();
  });

  function editLast(event) {
    const own = state
      .messagesHere()
      .findLast((message) => state.isMine(message) && !isForOne(message) && message.text !== undefined);
    if (own === undefined) return;
    event.preventDefault();
    edit(own);
  }

  function edit(message) {
    context.edit(message);
    fill(message.text ?? message.caption ?? '');
  }

  /** Keeps what was begun when another chat or person comes, and brings back what was begun there. */
  function changePlace() {
    const next = `${state.personId}/${state.chatId}/${state.topicId ?? ''}`;
    nameThePlace();
    if (next === place) return;
    if (place !== '') drafts.set(place, input.value);
    clear();
    input.value = drafts.get(next) ?? '';
    place = next;
    refresh();
  }
  for (const type of ['loaded', 'person', 'chat']) state.addEventListener(type, changePlace);
  state.addEventListener('chats', nameThePlace);

  /** The empty field says in whose name one writes. */
  function nameThePlace() {
    const isAnonymous = state.member()?.isAnonymous === true;
    input.placeholder = isAnonymous ? 'Message as the group' : 'Message';
  }
  byId('commands').addEventListener('click', () => fill('/'));

  function attach(files, asFile = false) {
    tray.add(files, asFile);
    input.focus();
  }
  wireFileIntake((files) => attach(files));

  return {
    fill,
    attach,
    edit,
    /** `quote`: the part of it that is replied to, if it is a part. */
    reply(message, quote) {
      context.reply(message, quote);
      input.focus();
    },
    sendText,
    /** Starts the bot, with the parameter of the link that led here. */
    start() {
      const text = `/start ${state.startParameter ?? ''}`.trim();
      state.askToStart(undefined);
      return sendText(text);
    },
    sendOther: (kind) => attempt(() => act('sendOther', { ...here(), kind })),
    /** A sample goes out with what is written as its caption; in a group it mentions the bot, which would not see it otherwise. */
    async sendSample(name) {
      const mention = state.chat().type === 'private' ? '' : `@${state.bot.username}`;
      const own = state.samples.find((sample) => sample.name === name)?.caption;
      const caption = input.value.trim() || `${mention} ${own}`.trim();
      if (await attempt(() => act('sendSample', { ...target(), name, caption }))) clear();
    },
  };
}
