/** /stats counts what the service charged, and says how much is unknown. `faults/service` tries the failures. */
import { expect, it, vi } from 'vitest';
import { hasTibetan, isVoice, newChinese, newTibetan, says } from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { useScene } from './shared-scene.ts';

const ADMIN_ID = 42;

const scene = useScene({ env: { ADMIN_IDS: String(ADMIN_ID), SERVICE_TIMEOUT_MS: '3000' } });

/** Today in /stats: what was charged, and what is unknown. */
async function statsSay({ paid, inDoubt }: { paid: number; inDoubt: number }): Promise<void> {
  const admin = scene.newcomer({ id: ADMIN_ID });
  const cost = (calls: number) => (0.4 * calls).toFixed(2);
  await vi.waitFor(
    async () => {
      const { text = '' } = await scene.ask(admin, '/stats');
      const today = (row: string) => new RegExp(`^ *(\\S+) .* ${row}$`, 'm').exec(text)?.[1];
      const both = paid + inDoubt;
      expect([today('calls'), today('yuan')]).toEqual([String(both), cost(both)]);
      const doubt = says('stats-in-doubt', 'en', { count: String(inDoubt), cost: cost(inDoubt) });
      if (inDoubt > 0) expect(text).toContain(doubt);
      else expect(text).not.toContain('perhaps charged');
    },
    { timeout: 60_000 },
  );
}

it('/stats and the service agree to the call; of a call of which nobody can know it says so', async () => {
  const { ask, newcomer, answerTo, service } = scene;
  const reader = newcomer();
  await answerTo(await reader.sendPhoto(reader.chat, await aJpeg()));
  service.faults.next('translation', 'reset');
  await ask(newcomer(), newChinese(), ({ text }) => hasTibetan(text));
  service.faults.next('speech', 'status-503');
  await ask(newcomer(), `/speak ${newTibetan()}`, isVoice);
  expect(service.paid().calls).toBe(3);
  await statsSay({ paid: 3, inDoubt: 0 });

  service.faults.next('translation', 'hang');
  await ask(newcomer(), newChinese(), ({ text }) => text === says('failure-in-doubt'));
  expect(service.paid().calls).toBe(4);
  await statsSay({ paid: 3, inDoubt: 1 });
});
