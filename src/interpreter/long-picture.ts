/** Pictures that are more than one page: so long that they are read in slices, or several in one file. */
import { Failure } from '../errors.ts';
import type { Region } from '../media/picture/image-redraw.ts';
import type { Picture } from './request.ts';

/** Why a file of several pages is not recognised as a picture. */
export class ManyPages extends Failure {
  constructor() {
    super('image-too-large', 'a picture has several pages');
  }
}

/** Why a long picture is not recognised in one piece. */
export class LongPicture extends Failure {
  readonly slices: readonly Picture[];

  constructor({ id, bytes: size }: Picture, bytes: Uint8Array, regions: readonly Region[]) {
    super('image-too-large', 'a picture would be illegible in one piece');
    this.slices = regions.map((region) => ({
      id: `${id}/${region.top}+${region.height}`,
      bytes: size,
      load: async () => bytes,
      region,
    }));
  }
}
