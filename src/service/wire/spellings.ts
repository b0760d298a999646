/** Values that the service spells now as a number, now as a string. */
import { z } from 'zod';

/** A code (`msgId`, `error_code`), as text. */
export const code = z.union([z.string().trim(), z.number()]).transform(String);

/** An id for troubleshooting (`traceId`, `log_id`), as text; undefined where there is none that can be used. */
export const id = z.union([z.string(), z.number()]).transform(String).optional().catch(undefined);

/** A figure, documented as a string and shown as a number. */
export const figure = z.union([z.number(), z.string().trim().min(1).transform(Number).pipe(z.number())]);
