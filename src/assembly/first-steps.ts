/** What whoever starts the bot in a terminal is told when its settings are not there yet. */

/** The way from nothing to a running bot, in a few lines. */
export const FIRST_STEPS = `Lotsawa has no settings yet. To only look at it, without an account or a key:  npm run sandbox

To run it in Telegram:
  1. cp .env.example .env        the settings, each with its explanation; fill in six of them:
  2. In Telegram, write to @BotFather: /newbot, choose a name, and copy the token that it
     gives you after TELEGRAM_BOT_TOKEN=. For @yourbot in any chat, send it /setinline, too.
  3. From the provider of the recognition, translation and speech service: two addresses
     (SERVICE_AUTH_URL, SERVICE_BASE_URL), an API Key with its Secret Key (SERVICE_API_KEY,
     SERVICE_SECRET_KEY), and the X-Secret (SERVICE_X_SECRET).
  4. npm run doctor              checks all of it, and says what to mend
  5. npm start
`;
