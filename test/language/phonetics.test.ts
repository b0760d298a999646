/** Tibetan as it sounds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPhonetics } from '../../src/language/phonetics.ts';

describe('the sound of a text', () => {
  it.each([
    ['ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།', 'om mani padmé hung'],
    ['ༀ་མ་ཎི་པདྨེ་ཧཱུྃ', 'om mani padmé hung'],
    ['༄༅། །རྒྱ་གར་སྐད་དུ། བོད་སྐད་དུ། །', 'gyakar kétu, pöké tu'],
    ['ཀོང༌པོ ༡༢', 'kongpo 12'],
    ['<b>བོད</b> & 2024', '<b>pö</b> & 2024'],
    ['ཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀ', 'ཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀ'],
    ['ཙནྡན་དཀར་པོ།', 'tsandan karpo'],
    ['སངྒྷ་དང་བུདྡྷ', 'sanggha tang buddha'],
    ['ཀྲྀཥྞ', 'krishna'],
    ['བཛྲ་པདྨ་མཎྜལ་དྷརྨ', 'vajra pema mandala dharma'],
    ['བཛྲ་སཏྭ། ཀཱ་ལ་ཙཀྲ། ནཱ་གཱརྫུ་ན།', 'vajra satva, kala tsakra, nagardzu na'],
    ['དྷཱི། དྷཱུ་ཏི། སཾ་གྷ། གཽ་ཏ་མ།', 'dhi, dhuti, samgha, gautama'],
    ['ཨོཾ་ཨཱཿཧཱུྃ་བཛྲ་གུ་རུ་པདྨ་སིདྡྷི་ཧཱུྃ།', 'om ah hung vajra guru pema siddhi hung'],
    ['བོ་དྷི། མི་ལ་གུ་རུ། པཎྜི་ཏ་ཆེན་པོ།', 'bodhi, mila guru, pandita chenpo'],
    ['བླ་མ་པདྨས་པདྨའི་ས་བོན།', 'lama pemé pemé sapön'],
    ['ཧྥ་རན་སི། ཀྲུང་ཧྭ། རྒྱ་གྲྭ།', 'faren si, trunghwa, gyatra'],
    ['ངག་དབང་བཀྲ་ཤིས་མཁའ་འགྲོའི་རྡོ་རྗེ།', 'ngawang tashi khandrö dorjé'],
    ['བདག ཤོག གཟིགས མཆོག ཚོགས', 'dak shok zik chok tsok'],
    ['དབྱིབས། དབབ། མངས། བེའུའི། གའུར། པའིའོ།', "yip, wap, mang, pé'ü, ka'ur, pé'o"],
    ['ཁྱེད་རང་གི་མིང་ལ་ག་རེ་ཟེར།', 'khyérang ki mingla karé ser'],
    ['དེའི་བར་དུ་དགའ་ལྡན། སྙིང་པོའི་བར།', 'té partu ganden, nyingpö par'],
    ['ང་དང་པོར་ལས་ཁུངས་ལ་ཡི་གེ་འབྲི།', 'nga tangpor lékung la yiké dri'],
    ['འོད་སྲུང་ལྟ་བ་དང་རིན་པོ་ཆེ་ལ་ལྟ་བའི་སྤྱན་རས་གཟིགས་ལ།', 'ösung tawa tang rinpoché la tawé chenrézik la'],
    ['ཆོས༵་གྲོས༵ ༼བོད༽ ལོ༡༩༥༩ལོར', 'chötrö pö lo 1959 lor'],
    ['', ''],
  ])('%s: %s', async (tibetan, sounds) => {
    expect(await toPhonetics(tibetan)).toBe(sounds);
  });

  it('phonetics leave what is not Tibetan as it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', '汉', ' ', ',', '👍', '\n', '-', '1') }),
        async (text) => {
          const lines = text.split('\n').map((line) => line.replace(/(?:, )+$/u, '').trimEnd());
          expect(await toPhonetics(text)).toBe(lines.join('\n'));
        },
      ),
    );
  });

  it('has every letter of Sanskrit', async () => {
    const heads = letters(
      'ཀ k ཁ kh ག g ང ng ཙ ts ཚ tsh ཛ dz ཉ ny ཊ t ཋ th ཌ d ཎ n ཏ t ཐ th ད d ན n པ p ཕ ph བ b མ m ཡ y ར r ལ l ཤ sh ཥ sh ས s',
    );
    const below = letters('ྐ k ྒ g ྔ ng ྩ ts ྫ dz ྙ ny ྚ t ྜ d ྞ n ྟ t ྡ d ྣ n ྤ p ྦ b ྨ m ྱ y ྲ r ླ l ྴ sh ྵ sh ྶ s ྷ h');
    const vowels = letters('ཱ a ཱི i ཱུ u ཻ ai ཽ au');
    const ends = letters('ཾ m').concat([['', '']]);
    const stacks = fc.tuple(
      fc.constantFrom(...heads),
      fc.array(fc.constantFrom(...below), { maxLength: 2 }).map(together),
      fc.constantFrom(...vowels),
      fc.constantFrom(...ends),
    );
    await soundsLetterByLetter(stacks.map(together));
  });

  it('has what sounds of every Tibetan syllable, and only that', async () => {
    const onsets = letters(
      'ཀ k རྐ k བསྐྱ ky མཁྲ tr ག k དག g བསྒྲ dr ང ng གཅ ch ལྗ j འཇ j སྙ ny ཏ t མཐ th ད t བརྡ d སྣ n དཔྱ ch འཕྲ tr བ p འབྱ j སྦྲ dr དབྱ y སྨྱ ny ཚྭ ts རྫ dz ཞ sh གཟ z བཟླ d འ ` གཡ y བརླ l ལྷ lh གཤ sh སྲ s ཧྲ hr ཨ `',
    );
    const suffixes = letters('ག k གས k ང ng ངས ng ན n བ p བས p མ m མས m ར r ལ l').concat([['', '']]);
    const syllables = fc.tuple(
      fc.constantFrom(...onsets),
      fc.constant<Spelling>(['ི', 'i']),
      fc.constantFrom(...suffixes),
    );
    await soundsLetterByLetter(syllables.map(together));
  });

  it('never begins a pair with a particle', async () => {
    const words = fc.array(fc.constantFrom('ཆོས', 'རྒྱལ་པོ', 'ལྟ་བ', 'སངས་རྒྱས', 'ག་རེ', 'ཀྱི', 'ནི'), {
      minLength: 2,
    });
    await fc.assert(
      fc.asyncProperty(words, async (spoken) => {
        const sounds = (await toPhonetics(`མི་${spoken.join('་')}`)).split(/[ -]/u);
        expect(sounds.filter((sound) => /^(?:kyi|ni)./u.test(sound))).toEqual([]);
      }),
    );
  });

  it('takes no longer where there is no space and no shad', async () => {
    // Time of this thread alone, so that others on the machine do not count.
    const begun = process.threadCpuUsage();
    await toPhonetics('བཀྲ་ཤིས་བདེ་ལེགས་'.repeat(2500));
    await toPhonetics('ཀ'.repeat(40_000));
    expect(process.threadCpuUsage(begun).user / 1000).toBeLessThan(10_000);
  });
});

/** Tibetan letters and what they sound like. */
type Spelling = readonly [tibetan: string, latin: string];

/** Reads a table, in which ` stands for silence. */
function letters(table: string): Spelling[] {
  return Array.from(table.matchAll(/(\S+) (\S+)/gu), ([, tibetan = '', latin = '']) => [
    tibetan,
    latin.replace('`', ''),
  ]);
}

function together(parts: readonly Spelling[]): Spelling {
  return [parts.map(([tibetan]) => tibetan).join(''), parts.map(([, latin]) => latin).join('')];
}

async function soundsLetterByLetter(syllables: fc.Arbitrary<Spelling>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(syllables, { minLength: 1, maxLength: 12 }), async (phrase) => {
      const sounds = await toPhonetics(phrase.map(([tibetan]) => tibetan).join('་'));
      expect(sounds.replace(/[ -]/gu, '')).toBe(phrase.map(([, latin]) => latin).join(''));
    }),
    { numRuns: 500 },
  );
}
