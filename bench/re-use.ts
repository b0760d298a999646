/** Measures what re-use saves: the paid calls for 100 requests of a usual mix, half of them repeated, by several people. */
import { aJpegSaying } from '../test/pictures.ts';
import { startScene } from '../test/scene.ts';

const REQUESTS = 100;
const PEOPLE = 10;
/** Of every 20 requests; the rest are texts. */
const PHOTOS = 3;
const SPEECHES = 3;

const scene = await startScene({ env: { DAILY_CALLS_PER_USER: '0' } });
const people = Array.from({ length: PEOPLE }, () => scene.newcomer());
const pictures = new Map<number, Buffer>();

/** The first half are different requests; the second half repeat them, by other people. */
async function request(number: number): Promise<void> {
  const what = number % (REQUESTS / 2);
  const person = people[(number * 7 + Math.floor(number / (REQUESTS / 2))) % PEOPLE];
  if (person === undefined) throw new Error('nobody asks');
  const kind = what % 20;
  if (kind < PHOTOS) {
    const picture = pictures.get(what) ?? (await aJpegSaying(`ཤོག་ལྷེ་ ${what}`));
    pictures.set(what, picture);
    const file = { fileName: 'page.jpg', mimeType: 'image/jpeg' };
    await scene.answerTo(await person.sendDocument(person.chat, picture, file));
  } else if (kind < PHOTOS + SPEECHES) {
    await scene.ask(person, `/speak amdo བཀྲ་ཤིས་བདེ་ལེགས། ${what}`, ({ voice }) => voice !== undefined);
  } else {
    await scene.ask(person, `今天的第${what}句话。`, ({ reply_to_message: to }) => to !== undefined);
  }
}

for (let number = 0; number < REQUESTS; number += 1) await request(number);
const { calls, yuan } = scene.service.paid();
console.log(`paid calls per ${REQUESTS} requests, half of them repeated`);
console.log(`  with re-use     ${calls}   ${yuan.toFixed(2)} yuan`);
console.log(`  without re-use  ${REQUESTS}  ${((yuan / calls) * REQUESTS).toFixed(2)} yuan`);
await scene.close();
