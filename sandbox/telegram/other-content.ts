/** Messages of other kinds, by kind. */
import { type FileStore, fileObject } from './files.ts';
import type { Message } from './objects.ts';

export type OtherKind = 'sticker' | 'video' | 'contact' | 'location' | 'voice' | 'animation' | 'dice';

/** The fields of a message of this kind, with a small file if the kind has one. */
export function otherContent(kind: OtherKind, files: FileStore, firstName: string): Partial<Message> {
  const file = () => fileObject(files.add(Buffer.from(`a ${kind} of ${firstName}`), { kind: 'other' }));
  switch (kind) {
    case 'sticker':
      return {
        sticker: {
          ...file(),
          type: 'regular',
          width: 512,
          height: 512,
          is_animated: false,
          is_video: false,
          emoji: '👍',
        },
      };
    case 'video':
      return { video: { ...file(), width: 640, height: 360, duration: 3, mime_type: 'video/mp4' } };
    case 'animation': {
      const animation = { ...file(), width: 320, height: 240, duration: 2, mime_type: 'video/mp4' };
      return { animation, document: animation };
    }
    case 'voice':
      return { voice: { ...file(), duration: 2, mime_type: 'audio/ogg' } };
    case 'contact':
      return { contact: { phone_number: '+12025550123', first_name: firstName } };
    case 'location':
      return { location: { latitude: 29.6525, longitude: 91.1721 } };
    case 'dice':
      return { dice: { emoji: '🎲', value: 4 } };
  }
}
