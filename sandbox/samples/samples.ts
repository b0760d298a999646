/** The sample photos (printed text on paper) with their texts, and a film with a caption. */
import { fileURLToPath } from 'node:url';

interface Sample {
  /** The file's path. */
  readonly file: string;
  readonly language: 'bo' | 'zh';
  /** What a reader reads, line by line; every line is a sentence of the sandbox's phrasebook. */
  readonly text: string;
}

export const TIBETAN_SAMPLE: Sample = {
  file: fileURLToPath(new URL('./tibetan.jpg', import.meta.url)),
  language: 'bo',
  text: ['བཀྲ་ཤིས་བདེ་ལེགས།', 'དེ་རིང་གནམ་གཤིས་ཡག་པོ་འདུག', 'ང་ཚོས་བོད་ཡིག་སྦྱོང་གི་ཡོད།', 'ཐུགས་རྗེ་ཆེ།'].join('\n'),
};

export const CHINESE_SAMPLE: Sample = {
  file: fileURLToPath(new URL('./chinese.jpg', import.meta.url)),
  language: 'zh',
  text: ['欢迎来到我们的学校。', '今天天气很好。', '学生们在学藏文。', '谢谢您。'].join('\n'),
};

/** A film without writing; its caption is a sentence of the phrasebook. Pixels and seconds as a client states them. */
export const FILM_SAMPLE = {
  file: fileURLToPath(new URL('./film.webm', import.meta.url)),
  caption: 'དེ་རིང་གནམ་གཤིས་ཡག་པོ་འདུག',
  film: { width: 240, height: 160, duration: 3 },
} as const;

export const SAMPLES: readonly Sample[] = [TIBETAN_SAMPLE, CHINESE_SAMPLE];
