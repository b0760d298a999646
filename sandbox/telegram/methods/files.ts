/** Handing files out. */
import { badRequest } from '../api-error.ts';
import { type Methods, method } from '../method.ts';
import { text } from '../parameters.ts';

const getFile = method({ file_id: text.default('') }, ({ core }, { file_id }) => {
  if (file_id === '') throw badRequest('file_id not specified');
  return core.files.downloadable(file_id);
});

export const fileMethods: Methods = { getFile };
