/** What /stats calls paid is what the service has charged, whatever way the service fails; where nobody can know, it says so. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { PaidKind } from '../sandbox/service/call-log.ts';
import { type FaultId, listFaults } from '../sandbox/service/fault-catalogue.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { newChinese, newTibetan, says } from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { type Scene, startScene } from './scene.ts';

const ADMIN_ID = 42;
/** After these the bot cannot know whether it was charged: some answers never come whole, others say nothing that the service would. */
const LEAVE_DOUBT: readonly FaultId[] = ['hang', 'slow', 'break-off', 'empty', 'not-json', 'missing-fields'];
/** They end the calls of a kind for ten minutes. */
const END_CALLS: readonly FaultId[] = ['quota', 'auth'];

let scene: Scene;
beforeAll(async () => {
  scene = await startScene({ env: { ADMIN_IDS: String(ADMIN_ID), SERVICE_TIMEOUT_MS: '1000' } });
});
afterAll(() => scene.close());

const REQUESTS: Record<PaidKind, (person: Person) => Message | Promise<Message>> = {
  recognition: async (person) => person.sendPhoto(person.chat, await aJpeg()),
  translation: (person) => person.send(person.chat, { text: newChinese() }),
  speech: (person) => person.send(person.chat, { text: `/speak ${newTibetan()}` }),
};

/** Somebody asks, and has an answer. */
async function ask(kind: PaidKind): Promise<void> {
  await scene.answerTo(await REQUESTS[kind](scene.newcomer()));
}

/** One try of a request of this kind meets the fault, then another request is answered, which the circuit is to see. */
async function suffer(kind: PaidKind, fault: FaultId): Promise<void> {
  scene.service.faults.next(kind, fault);
  await ask(kind);
  if (!END_CALLS.includes(fault)) await ask(kind);
}

async function sufferAll(isMeant: (fault: FaultId) => boolean): Promise<void> {
  await Promise.all(
    (['recognition', 'translation', 'speech'] as const).map(async (kind) => {
      for (const { id, kinds } of listFaults())
        if (kinds.includes(kind) && isMeant(id)) await suffer(kind, id);
    }),
  );
}

/** What /stats says of today: what was paid, and what may have been. */
async function statsSay({ paid, inDoubt }: { paid: number; inDoubt: number }): Promise<void> {
  const admin = scene.newcomer({ id: ADMIN_ID });
  const cost = (calls: number) => (0.4 * calls).toFixed(2);
  await vi.waitFor(
    async () => {
      const { caption = '' } = await scene.ask(admin, '/stats', ({ photo }) => photo !== undefined);
      const today = (row: string) => new RegExp(`^ *(\\S+) .* ${row}$`, 'm').exec(caption)?.[1];
      expect([today('uses'), today('yuan')]).toEqual([String(paid), cost(paid)]);
      const doubt = says('stats-in-doubt', 'en', { count: String(inDoubt), cost: cost(inDoubt) });
      if (inDoubt > 0) expect(caption).toContain(doubt);
      else expect(caption).not.toContain('not known');
    },
    { timeout: 60_000 },
  );
}

it('/stats and the service agree to the call where a failure leaves no doubt', async () => {
  await sufferAll((fault) => !LEAVE_DOUBT.includes(fault) && !END_CALLS.includes(fault));
  await statsSay({ paid: scene.service.paid().calls, inDoubt: 0 });
});

it('where one does, /stats counts the call apart, and what was charged lies between', async () => {
  await sufferAll((fault) => LEAVE_DOUBT.includes(fault));
  const paidCalls = scene.service.calls.filter(({ kind }) => kind !== 'token');
  const doubtful = paidCalls.filter(({ kind, fault }) => {
    // Sound that has begun was charged, however it ends.
    return (
      fault !== undefined &&
      LEAVE_DOUBT.some((id) => id === fault) &&
      `${kind} ${fault}` !== 'speech break-off'
    );
  });
  const sure = paidCalls.filter((call) => call.charged && !doubtful.includes(call));
  expect(doubtful.filter(({ charged }) => charged).length).toBeGreaterThan(0);
  expect(doubtful.filter(({ charged }) => !charged).length).toBeGreaterThan(0);
  await statsSay({ paid: sure.length, inDoubt: doubtful.length });
});

it('a refusal for want of quota costs nothing', async () => {
  const before = scene.service.paid().calls;
  await suffer('translation', 'quota');
  await suffer('speech', 'quota');
  expect(scene.service.paid().calls).toBe(before);
});
