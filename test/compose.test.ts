/** What compose.yaml, systemd's credentials and the Dockerfile say, as far as it can be tried without Docker and systemd. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SECRETS } from '../src/app/config.ts';
import { openBotPlace } from './bot-place.ts';
import { connected } from './connected.ts';
import { usePostgresServer } from './shared-postgres-server.ts';

const server = usePostgresServer();
const file = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const [compose, postgres] = [file('compose.yaml'), file('compose.postgres.yaml')];
const credentials = file('deploy/credentials.conf');

it('on compose.postgres.yaml, the bot gets every secret from a file, the address of PostgreSQL too', async () => {
  const { host, pathname, href } = new URL(await server.createDatabase());
  const password = 'f00d'.repeat(8);
  await connected(href, async (client) => {
    await client.query(`create role lotsawa login password '${password}'`);
    await client.query(`alter database ${pathname.slice(1)} owner to lotsawa`);
  });
  const place = await openBotPlace();
  const settings = { ...place.settings, DATABASE_URL: `postgres://lotsawa:${password}@${host}${pathname}` };
  const variables = { ...variablesOf(compose), ...variablesOf(postgres) };
  const changes = Object.entries(variables).flatMap(([file, path]) => {
    const name = file.replace(/_FILE$/, '');
    if (name === file) return [];
    const here = path.replace('/run/secrets', place.folder.path);
    writeFileSync(here, `${Reflect.get(settings, name)}\n`);
    return [
      [file, here],
      [name, variables[name] ?? ''],
    ];
  });
  expect(Object.keys(variables)).toContain('SERVICE_X_SECRET_FILE');
  const bot = place.start(Object.fromEntries(changes));
  await bot.says('"database":"postgres"');
  await bot.says('"ready"');
  expect(await bot.stop()).toBe(0);
  expect(bot.output()).not.toContain(password);
  await place.close();
  for (const text of [compose, postgres])
    for (const [, path = ''] of text.matchAll(/^ +\w+_FILE: \/run\/secrets\/(\w+)$/gm))
      expect(text).toContain(`  ${path}: { file: ./secrets/${path} }\n`);
});

it('each credential of systemd has its variable, and each secret its credential', () => {
  const all = credentials.matchAll(
    /^#?LoadCredential=(\w+):\/etc\/lotsawa\/(\w+)\n#?Environment=(\w+)_FILE=%d\/(\w+)$/gm,
  );
  const names = Array.from(all, ([, id, path, name = '', file]) => {
    expect([id, path, file]).toEqual(Array.from({ length: 3 }, () => name.toLowerCase()));
    return name;
  });
  expect(names).toEqual(expect.arrayContaining([...SECRETS]));
});

it.each(['package.json', 'Dockerfile', 'deploy/lotsawa.service'])(
  '%s bounds the heaps of glibc and V8, and keeps compiled code',
  (path) => {
    const text = file(path);
    expect(text).toContain('MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=262144');
    expect(text).toContain('NODE_COMPILE_CACHE=');
    expect(text).toMatch(
      /node"?,? "?--min-semi-space-size=8"?,? "?--max-semi-space-size=8"?,? "?--heap-growing-percent=100"?,? "?src\/main\.mjs/,
    );
  },
);

it('the unit does nothing as root, and writes nowhere in the checkout', () => {
  const unit = file('deploy/lotsawa.service');
  expect(unit).toMatch(/^User=lotsawa$/m);
  expect(unit).not.toMatch(/^Exec\w+=[-:@|]*[+!]/m);
  expect(unit).not.toMatch(/^\w*(?:ReadWrite|Bind)Paths=/m);
  expect(unit).toMatch(/^ProtectSystem=strict$/m);
  expect(unit).toMatch(/^StateDirectory=lotsawa$/m);
});

it.each(['deploy/lotsawa.service', 'docs/community-leader.md', 'docs/operating.md'])(
  '%s has the database in the folder that systemd makes',
  (path) => {
    expect(file(path)).toContain('DATABASE_URL=sqlite:/var/lib/lotsawa/lotsawa.db');
  },
);

it('the image is labelled with the version of package.json', () => {
  const [dockerfile, manifest] = [file('Dockerfile'), file('package.json')];
  const [, version] = /^ARG VERSION=(\S+)/m.exec(dockerfile) ?? [];
  expect(version).toBe(/^ {2}"version": "(.*)",$/m.exec(manifest)?.[1]);
  expect(dockerfile).toContain('org.opencontainers.image.version=$VERSION ');
});

/** The environment of the bot in a compose file. */
function variablesOf(text: string): Record<string, string> {
  const [, block = ''] = /^ {2}lotsawa:\n[\s\S]*?^ {4}environment:\n((?: {6}.*\n)+)/m.exec(text) ?? [];
  const lines = block.matchAll(/^ +([A-Z][A-Z_]+): (.*)$/gm);
  return Object.fromEntries(
    Array.from(lines, ([, name = '', value = '']) => [name, value.replace(/^"(.*)"$/, '$1')]),
  );
}
