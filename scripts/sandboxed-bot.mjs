// The bot of `npm run sandbox`: configured by the sandbox alone, on a temporary database, with Tenzin, the first of the sandbox's people,
// as its admin. Access, limits and budget can be tried: ACCESS=members npm run sandbox.
const { SANDBOX_FOLDER } = process.env;
if (SANDBOX_FOLDER === undefined) throw new Error('to be run by the sandbox: npm run sandbox');

/** Drops settings of a real bot, from the shell or from its .env. */
const TOLD =
  /^(PATH|HOME|LOG_LEVEL|ACCESS|DAILY_\w+|TELEGRAM_(BOT_TOKEN|API_ROOT)|SERVICE_(AUTH_URL|BASE_URL|API_KEY|SECRET_KEY|X_SECRET))$/;
for (const name of Object.keys(process.env)) if (!TOLD.test(name)) delete process.env[name];
process.chdir(SANDBOX_FOLDER);

process.env.DATABASE_URL = `sqlite:${SANDBOX_FOLDER}/lotsawa.db`;
process.env.ADMIN_IDS = '5000001';
process.env.LOG_LEVEL ??= 'error';
process.env.PORT = '0';
await import('../src/main.mjs');
