/** A proxy before PostgreSQL that parses statements, and breaks those that match a rule; or its connections go dead as networks do. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * What becomes of a statement: an error of the server's by its SQLSTATE; the connection cut before the server has it, or after the
 * server has done it but before its answer is heard (of a COMMIT: nobody knows what came of it); or the answer never comes.
 */
export type StatementBreakage = { readonly error: string } | 'cut before' | 'cut after' | 'hold';

interface StatementRule {
  /** Breaks only a statement that this matches. */
  readonly statement: RegExp;
  /** And only where this matches the one before it on the same connection: every COMMIT reads the same. */
  readonly after?: RegExp;
  readonly breakage: StatementBreakage;
  /** How many break; default 1. */
  readonly times?: number;
}

export interface StatementProxy {
  /** The server's address by way of this proxy. */
  readonly url: string;
  /** Breaks the next statements that the rule means; tells how many did so far, and ends it. */
  breakNext(rule: StatementRule): { readonly broken: () => number; readonly end: () => void };
  /** Ends every rule. */
  breakNothing(): void;
  /** From now on new connections lead to this server; with `cut`, those that stand end. */
  leadTo(address: string, cut?: boolean): void;
  /** Connections go on standing while nothing passes through them any more, as when a cable is pulled; new ones work. */
  fallSilent(): void;
  /** What becomes of new connections: they are passed on, taken and closed at once, or taken and never served. */
  take(newOnes: 'pass' | 'hang up' | 'ignore'): void;
  close(): void;
}

/** The codes at the place of a version in a connection's first message; one that begins a session has no such code. */
const FIRST_REQUESTS: ReadonlySet<number> = new Set([80877102, 80877103, 80877104]);
const SYNC = 'S'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
const PARSE = 'P'.charCodeAt(0);
const BIND = 'B'.charCodeAt(0);
const READY = 'Z'.charCodeAt(0);
/** Messages that belong together up to a SYNC. */
const EXTENDED: ReadonlySet<number> = new Set([...'PBDEHC'].map((letter) => letter.charCodeAt(0)));

/** A proxy before the server at `address`. */
export async function startStatementProxy(address: string): Promise<StatementProxy> {
  let to = new URL(address);
  const sockets = new Set<Socket>();
  let taken: Parameters<StatementProxy['take']>[0] = 'pass';
  const rules = new Set<{ readonly rule: StatementRule; left: number }>();

  const breakageOf = (statement: string, before: string): StatementBreakage | undefined => {
    for (const entry of rules) {
      const { statement: meant, after = /(?:)/ } = entry.rule;
      if (entry.left <= 0 || !meant.test(statement) || !after.test(before)) continue;
      entry.left -= 1;
      return entry.rule.breakage;
    }
    return undefined;
  };

  const listener = createServer((near) => {
    if (taken !== 'pass') {
      sockets.add(near);
      near.on('error', () => near.destroy());
      if (taken === 'hang up') near.destroy();
      return;
    }
    const far = connect(Number(to.port), to.hostname);
    const cut = (): void => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', cut);
      socket.on('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
    let isHeard = true;
    let onReady: (() => void) | undefined;
    far.on(
      'data',
      inMessages(false, (message) => {
        if (isHeard) near.write(message);
        if (message[0] === READY) onReady?.();
      }),
    );
    let unit: Buffer[] = [];
    let before = '';
    const prepared = new Map<string, string>();
    near.on(
      'data',
      inMessages(true, (message, isFirst) => {
        const type = isFirst ? undefined : message[0];
        if (type !== undefined && EXTENDED.has(type)) {
          unit.push(message);
          return;
        }
        if (type !== QUERY && type !== SYNC) {
          far.write(message);
          return;
        }
        const whole = [...unit, message];
        unit = [];
        const statement = textOf(whole, prepared);
        const breakage = statement === undefined ? undefined : breakageOf(statement, before);
        before = statement ?? before;
        if (breakage === 'cut before') return cut();
        if (breakage === 'cut after') onReady = cut;
        if (breakage === 'cut after' || breakage === 'hold') isHeard = false;
        far.write(typeof breakage === 'object' ? raising(breakage.error) : Buffer.concat(whole));
      }),
    );
  });
  const url = await listeningBefore(listener, address);

  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url,
    breakNext: (rule) => {
      const times = rule.times ?? 1;
      const entry = { rule, left: times };
      rules.add(entry);
      return { broken: () => times - entry.left, end: () => rules.delete(entry) };
    },
    breakNothing: () => rules.clear(),
    leadTo: (other, cut = false) => {
      to = new URL(other);
      if (cut) cutAll();
    },
    fallSilent: () => {
      for (const socket of sockets) socket.pause();
    },
    take: (newOnes) => {
      taken = newOnes;
    },
    close: () => {
      cutAll();
      listener.close();
    },
  };
}

/** Has `listener` listen on a free port; gives the address of the server behind it by way of that port. */
export async function listeningBefore(listener: Server, address: string): Promise<string> {
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const place = listener.address();
  if (place === null || typeof place === 'string') throw new Error('no port');
  const url = new URL(address);
  url.port = String(place.port);
  return url.href;
}

/** Puts chunks of PostgreSQL's protocol together into messages; of a client's the first has no type, be it that it only asks for encryption. */
export function inMessages(
  isClient: boolean,
  onMessage: (message: Buffer, isFirst: boolean) => void,
): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isFirst = isClient;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const typeBytes = isFirst ? 0 : 1;
      if (rest.length < typeBytes + 4) return;
      const end = typeBytes + rest.readInt32BE(typeBytes);
      if (rest.length < end) return;
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      const wasFirst = isFirst;
      if (isFirst) isFirst = FIRST_REQUESTS.has(message.readInt32BE(4));
      onMessage(message, wasFirst);
    }
  };
}

/**
 * The statement among the messages that make it up; undefined where they hold none. Those that get a name are kept in `prepared`: later they
 * are asked for by it.
 */
function textOf(messages: readonly Buffer[], prepared: Map<string, string>): string | undefined {
  const message = messages.find(([type]) => type === QUERY || type === PARSE || type === BIND);
  if (message === undefined) return undefined;
  // After type and length: a query's text; of what is parsed its name and text; of what is bound its portal and name.
  const [first = '', second = ''] = message.toString('utf8', 5).split('\0', 2);
  if (message[0] === QUERY) return first;
  if (message[0] === BIND) return prepared.get(second);
  prepared.set(first, second);
  return second;
}

/** A statement that fails with this SQLSTATE. */
function raising(code: string): Buffer {
  const text = `do $$ begin raise exception 'broken on purpose' using errcode = '${code}'; end $$\0`;
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + Buffer.byteLength(text));
  return Buffer.concat([Buffer.from('Q'), length, Buffer.from(text)]);
}
