/** Posts that the page sends at a press: a poll, a checklist and a rich message, in Tibetan. */
import type { Composed } from '../telegram/worded-content.ts';

export const SAMPLE_POSTS = {
  poll: {
    question: 'ཚོགས་འདུ་གཟའ་ག་ཚོད་ལ་འཚོགས་ན་འགྲིག་གམ།',
    options: ['གཟའ་ཟླ་བ།', 'གཟའ་སྤེན་པ།'],
  },
  checklist: {
    title: 'དུས་ཆེན་གྱི་གྲ་སྒྲིག',
    tasks: ['ཇ་བསྐོལ་བ།', 'མར་མེ་སྦར་བ།', 'ཁ་བཏགས་ཉོ་བ།'],
  },
  rich: {
    blocks: [
      { type: 'heading', size: 2, text: 'གསལ་བསྒྲགས།' },
      { type: 'paragraph', text: ['སང་ཉིན་', { type: 'bold', text: 'སློབ་གྲྭ་' }, 'ལ་གུང་སང་ཡིན།'] },
      {
        type: 'list',
        items: [
          { label: '•', blocks: [{ type: 'paragraph', text: 'དཔེ་ཆ་འཁྱེར་རོགས།' }] },
          { label: '•', blocks: [{ type: 'paragraph', text: 'ཕ་མ་ལ་ཤོད་རོགས།' }] },
        ],
      },
    ],
  },
} as const satisfies Record<string, Composed>;
